// Owns: the words of a goal. Each is a word, or a value: a quoted text, a path, a pattern, an address, a number, a date.
import type { Rule } from './parser.ts';

export type ValueKind = 'quoted' | 'path' | 'glob' | 'url' | 'number' | 'size' | 'date';

export interface Word {
  /** A word in lower case, or the value. */
  readonly text: string;
  /** As the person wrote it. */
  readonly said: string;
  /** What kind of value it is; a plain word has none. */
  readonly kind?: ValueKind;
  readonly isValue: boolean;
  /** It means nothing by itself, so it may be left out wherever it stands. */
  readonly isFiller: boolean;
  readonly start: number;
  readonly end: number;
}

/** Words that mean nothing by themselves. Every other word must have a place in a reading. */
const FILLERS: ReadonlySet<string> = new Set(
  `a an the my our your its their these those this that please kindly hi hey hello oka thanks thank you just now
  simply can could would will like want need i we me us let lets go ahead help right
  currently here all any each every some do does did is are be am so well okay ok also actually really quickly there`.split(
    /\s+/,
  ),
);

const PIECE =
  /"([^"]*)"|“([^“”]*)”|«([^«»]*)»|`([^`]*)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])|(\{\{[^{}]+\}\})|[^\s"“«`]+/gu;
const CLOSING = /[.,;:!?)\]}”»']+$/;
const SIZE = /^\d+(?:\.\d+)?(?:[kmgt]i?b|[kmg])$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FILE = /^(?:[^\s/]*[\p{L}\p{N}_-])?\.[\p{L}][\p{L}\p{N}]*$/u;

/** What exists where the goal is carried out. */
export interface World {
  /** Whether the workspace has a folder of this name, in any case of letters. */
  hasFolder(name: string): boolean;
}

export class Words {
  readonly text: string;
  readonly world: World | undefined;
  readonly list: readonly Word[];
  readonly #known = new Map<Rule<unknown>, Map<number, unknown>>();
  #furthest = 0;

  constructor(text: string, world?: World) {
    this.text = text;
    this.world = world;
    this.list = [...text.matchAll(PIECE)].flatMap(wordsOf);
  }

  /** The first word that no rule could read. */
  get stuckAt(): Word | undefined {
    return this.list[this.#furthest];
  }

  reach(at: number): void {
    if (at > this.#furthest) this.#furthest = at;
  }

  /** What a rule reads at a position, found once. */
  once<Value>(rule: Rule<Value>, at: number, read: () => Value): Value;
  once<Value>(rule: Rule<Value>, at: number, read: () => unknown): unknown {
    const known = this.#known.get(rule) ?? new Map<number, unknown>();
    this.#known.set(rule, known);
    if (known.has(at)) return known.get(at);
    // A rule that begins with itself reads nothing there.
    known.set(at, []);
    const found = read();
    known.set(at, found);
    return found;
  }

  /** The person's own words from one word to another. */
  between(from: number, until: number): string {
    return this.text.slice(this.list[from]?.start ?? 0, this.list[until - 1]?.end ?? 0);
  }
}

function wordsOf(match: RegExpExecArray): Word[] {
  const [said] = match;
  const start = match.index;
  const quoted = match.slice(1, 7).find((group) => group !== undefined);
  if (quoted !== undefined) return [value('quoted', quoted, said, start)];
  if (/^\.{1,2}\/?$/.test(said)) return [value('path', said, said, start)];
  const closing = /^\.[\p{L}\p{N}]+$/u.test(said) ? '' : (CLOSING.exec(said)?.[0] ?? '');
  const text = said.slice(0, said.length - closing.length);
  const words: Word[] = text === '' ? [] : [...readWord(text, start)];
  const marks = [...closing].filter((mark) => ',;.'.includes(mark));
  const at = start + text.length;
  // A comma joins or separates; a full stop at the end of the text means nothing.
  for (const mark of marks)
    words.push({ text: mark, said: mark, isValue: false, isFiller: mark !== ',', start: at, end: at + 1 });
  return words;
}

/** Short forms that are two words: "what's", "aren't", "I've". */
const SHORT = /^(.+?)(n't|'s|'re|'ve|'d|'ll|'m)$/;
const LONG: Readonly<Record<string, string>> = {
  "n't": 'not',
  "'s": 'is',
  "'re": 'are',
  "'ve": 'have',
  "'d": 'would',
  "'ll": 'will',
  "'m": 'am',
};
const SHORTENED: ReadonlySet<string> = new Set('what where who how that it there here when i we you they he she'.split(' '));

function readWord(said: string, start: number): readonly Word[] {
  const kind = kindOf(said);
  if (kind !== undefined) return [value(kind, said, said, start)];
  const text = said.toLowerCase().replaceAll('’', "'");
  const [, first = '', short = ''] = SHORT.exec(text) ?? [];
  const isShort = short !== '' && (short !== "'s" || SHORTENED.has(first));
  const parts = isShort ? [first === 'ca' ? 'can' : first === 'wo' ? 'will' : first, LONG[short] ?? ''] : [text];
  return parts.map((part) => ({
    text: part,
    said: isShort ? part : said,
    isValue: false,
    isFiller: FILLERS.has(part),
    start,
    end: start + said.length,
  }));
}

function value(kind: ValueKind, text: string, said: string, start: number): Word {
  return { text, said, kind, isValue: true, isFiller: false, start, end: start + said.length };
}

function kindOf(text: string): ValueKind | undefined {
  if (/^https?:\/\/\S+$/i.test(text)) return 'url';
  if (DATE.test(text)) return 'date';
  if (/^\d+(?:\.\d+)?$/.test(text)) return 'number';
  if (SIZE.test(text)) return 'size';
  if (/[*?[]/.test(text) && text.length > 1) return 'glob';
  if (text.includes('/') || FILE.test(text)) return 'path';
  return undefined;
}
