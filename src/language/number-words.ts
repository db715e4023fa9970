import type { Token } from './types.ts';

const SMALL: ReadonlyMap<string, number> = new Map(
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, i) => [word, i + 2]),
);
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, i) => [word, (i + 2) * 10]),
);
const FACTORS: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
]);

/**
 * Replaces number words by numbers: "ten", "twenty-five", "two hundred", "a dozen", "a couple of". "One" stays a word,
 * because it seldom counts something: "the one in src", "in one place".
 */
export function readNumberWords(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = numberAt(tokens, at);
    found.push(read?.token ?? (tokens[at] as Token));
    at += read?.count ?? 1;
  }
  return found;
}

function numberAt(tokens: readonly Token[], at: number): { token: Token; count: number } | undefined {
  const word = (i: number): string => {
    const token = tokens[i];
    return token?.kind === 'word' || token?.kind === 'number' ? token.text.toLowerCase() : '';
  };
  const article = word(at) === 'a' || word(at) === 'an';
  if (article && word(at + 1) === 'couple' && word(at + 2) === 'of') return numberToken(tokens, at, 3, 2);
  let end = article ? at + 1 : at;
  let value = article ? 1 : below100(word(end));
  if (value === undefined) return undefined;
  if (!article) {
    end += 1;
    const ones = smallOf(word(end));
    if (TENS.has(word(at)) && ones > 0 && ones < 10) {
      value += ones;
      end += 1;
    }
  }
  const factor = FACTORS.get(word(end));
  if (factor !== undefined) {
    value *= factor;
    end += 1;
  }
  const isWord = [...tokens.slice(at, end)].some(({ kind }) => kind === 'word');
  return isWord && (!article || factor !== undefined) ? numberToken(tokens, at, end - at, value) : undefined;
}

/** A number below 100, in words or digits. */
function below100(word: string): number | undefined {
  const [tens = '', ones = ''] = word.split('-');
  const small = smallOf(ones);
  if (TENS.has(tens) && (ones === '' || (small > 0 && small < 10))) return (TENS.get(tens) ?? 0) + small;
  return SMALL.get(word) ?? (/^\d+(?:\.\d+)?$/.test(word) ? Number(word) : undefined);
}

/** A number below 20; 0 for other words. */
function smallOf(word: string): number {
  return word === 'one' ? 1 : (SMALL.get(word) ?? 0);
}

function numberToken(
  tokens: readonly Token[],
  at: number,
  count: number,
  value: number,
): { token: Token; count: number } {
  const words = tokens.slice(at, at + count);
  const [{ start }, { end }] = [words[0] as Token, words.at(-1) as Token];
  const said = words.map(({ text }) => text).join(' ');
  return { token: { kind: 'number', text: String(value), said, start, end }, count };
}
