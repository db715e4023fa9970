import { stem } from '../../retrieval/index.ts';
import { isPronoun } from './outputs.ts';
import type { Token } from './read-intent.ts';

/** A token with the linking word just before it. */
export interface Part extends Token {
  readonly after?: string;
}

export const LINKS: ReadonlySet<string> = new Set(
  'to into as in inside within under from of for about at on with by until containing'.split(' '),
);
export const FILLERS: ReadonlySet<string> = new Set(
  'a an the my our your its file files folder directory path address page url site website text named called there here me us you please new whole only just up out down lines line'.split(
    ' ',
  ),
);
/** They ask for many things, where a tool may do only one. */
export const QUANTIFIERS: ReadonlySet<string> = new Set([
  'all',
  'any',
  'every',
  'each',
  'everything',
  'anything',
  'both',
]);
/** The words that stand for the one thing that the step before was about. */
export const THAT_ONE: ReadonlySet<string> = new Set(['it', 'that', 'this']);
export const PLACES: ReadonlySet<string> = new Set(['in', 'inside', 'within', 'under', 'from', 'at']);
export const TOWARDS: ReadonlySet<string> = new Set(['to', 'into', 'as']);
export const SUBJECTS: ReadonlySet<string> = new Set(['for', 'about', 'containing']);
const SECONDS: ReadonlyMap<string, number> = new Map([
  [stem('second'), 1],
  [stem('minute'), 60],
  [stem('hour'), 3_600],
  [stem('day'), 86_400],
]);

/** A word that may be the name of something. */
export function isName({ kind, text }: Part): boolean {
  return kind === 'word' && !isPronoun(text) && !QUANTIFIERS.has(text.toLowerCase());
}

/** The tokens, each with the linking word before it; articles and words like "the file" do not count. */
export function linked(tokens: readonly Token[]): Part[] {
  let after: string | undefined;
  return tokens.map((token) => {
    const part: Part = after === undefined ? token : { ...token, after };
    const word = token.kind === 'word' ? token.text.toLowerCase() : undefined;
    if (word !== undefined && LINKS.has(word)) after = word;
    else if (word === undefined || !FILLERS.has(word)) after = undefined;
    return part;
  });
}

/** How many seconds a number and the word after it are; undefined when the word is no unit of time. */
export function secondsOf(number: string, unit: string | undefined): number | undefined {
  const factor = SECONDS.get(stem(unit?.toLowerCase() ?? ''));
  return factor === undefined ? undefined : Number(number) * factor;
}
