import type { EpochMs } from '../kernel/index.ts';
import { type RelatedWord, relatedWords } from './related-words.ts';
import { isStopWord, plainWords, rootOf } from './terms.ts';
import { spansIn, type TimeSpan } from './times.ts';
import type { WordVectors } from './word-vectors.ts';

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

const MOST_LEARNED = 4;
const LEAST_LIKENESS = 0.6;
const LEARNED_WEIGHT = 0.4;

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
  /** Brings in words that the workspace's own texts use alike. */
  readonly vectors?: WordVectors;
}

/** Reads a query: its terms with other words for them, the times it names, and the kind of answer it wants. */
export function readQuery(text: string, { now, vectors }: QueryReading = {}): Query {
  const words = plainWords(text);
  const roots = [...new Set(words.filter((word) => !isStopWord(word)).map(rootOf))];
  const lower = text.toLowerCase();
  const shape = SHAPES.find(([pattern]) => pattern.test(lower))?.[1];
  return {
    terms: roots.map((term) => ({ term, weight: 1, instead: standIns(term, vectors) })),
    words: new Set(words),
    spans: spansIn(text, now ?? 0).filter(({ from }) => now !== undefined || from > 0),
    ...(shape !== undefined && { shape }),
  };
}

function standIns(term: string, vectors: WordVectors | undefined): RelatedWord[] {
  const weights = new Map(relatedWords(term).map((word) => [word.term, word.weight]));
  for (const { term: other, weight } of vectors?.similarTo(term, MOST_LEARNED, LEAST_LIKENESS) ?? [])
    if (!weights.has(other)) weights.set(other, weight * LEARNED_WEIGHT);
  return [...weights].map(([other, weight]) => ({ term: other, weight }));
}
