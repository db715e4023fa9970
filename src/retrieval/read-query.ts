import type { EpochMs } from '../kernel/index.ts';
import { weightOfTerm } from './light-words.ts';
import { type RelatedWord, relatedWords } from './related-words.ts';
import { plainWords, rootOf, tellingWords } from './terms.ts';
import { spansIn, type TimeSpan } from './times.ts';

/** What a question asks for. */
export type AnswerShape = 'time' | 'place' | 'person' | 'number';

/** A word of a query with the words that may stand for it. */
export interface QueryTerm {
  readonly term: string;
  /** How much finding it counts. */
  readonly weight: number;
  readonly instead: readonly RelatedWord[];
}

/** A query, read. */
export interface Query {
  readonly terms: readonly QueryTerm[];
  readonly words: ReadonlySet<string>;
  readonly spans: readonly TimeSpan[];
  readonly shape?: AnswerShape;
}

/** Longer questions are read by their first words. */
const MOST_TERMS = 32;

const SHAPES: readonly (readonly [RegExp, AnswerShape])[] = [
  [/\bhow (?:many|much|old|often|far|tall)\b/, 'number'],
  [/\b(?:when|how long|(?:what|which) (?:day|date|month|year|time|season|weekend|week))\b/, 'time'],
  [/\b(?:where|(?:what|which) (?:city|country|place|town|state))\b/, 'place'],
  [/\b(?:who|whom|whose)\b/, 'person'],
];

/** What to read a query with. */
export interface QueryReading {
  /** The moment from which "last week" is counted. */
  readonly now?: EpochMs;
  /** When the newest of the texts that are asked about was written: a month without its year is one before that. */
  readonly until?: EpochMs;
}

/** Reads a query: its terms with other words for them, the times it names, and the kind of answer it wants. */
export function readQuery(text: string, { now, until }: QueryReading = {}): Query {
  const words = plainWords(text);
  const roots = [...new Set(tellingWords(words).map(rootOf))].slice(0, MOST_TERMS);
  const lower = text.toLowerCase();
  const shape = SHAPES.find(([pattern]) => pattern.test(lower))?.[1];
  return {
    terms: roots.map((term) => ({ term, weight: weightOfTerm(term), instead: relatedWords(term) })),
    words: new Set(words),
    spans: spansIn(text, now ?? 0, until ?? now ?? 0).filter(({ from }) => now !== undefined || from > 0),
    ...(shape !== undefined && { shape }),
  };
}
