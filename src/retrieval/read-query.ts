import type { EpochMs } from '../kernel/index.ts';
import { type RelatedWord, relatedWords } from './related-words.ts';
import { plainWords, rootOf, significantWords } from './terms.ts';
import { mentionsTime, spansIn, type TimeSpan } from './times.ts';

/** The kind of answer that a question asks for. */
type AnswerShape = 'time' | 'place' | 'person' | 'number';

/** A word of a query with its related words. */
export interface QueryTerm {
  readonly term: string;
  /** The weight of a match. */
  readonly weight: number;
  readonly instead: readonly RelatedWord[];
}

/** A parsed query. */
export interface Query {
  readonly terms: readonly QueryTerm[];
  readonly words: ReadonlySet<string>;
  readonly spans: readonly TimeSpan[];
  readonly shape?: AnswerShape;
  /** It asks for two things, so that no single text need have the answer. */
  readonly asksTwice: boolean;
}

/** Further words of a query are ignored. */
const MAX_TERMS = 32;

const SHAPES: readonly (readonly [RegExp, AnswerShape])[] = [
  [/\bhow (?:many|much|old|often|far|tall)\b/, 'number'],
  [/\b(?:when|how long|(?:what|which) (?:day|date|month|year|time|season|weekend|week))\b/, 'time'],
  [/\b(?:where|(?:what|which) (?:city|country|place|town|state))\b/, 'place'],
  [/\b(?:who|whom|whose)\b/, 'person'],
];

/** "Where was she and what did she eat?"; lists ("What books has she read?") share their words instead. */
const ASKS_TWICE =
  /\b(?:and|or)(?: also)? (?:(?:with|in|at|on|for|by|from|to) )?(?:what|who|whom|whose|where|when|which|how|why)\b/;

/**
 * Parses a query: its terms with related words, the times it names, and the kind of answer it asks for. `now` is the
 * reference for "last week"; `until` is the time of the newest text: a month without a year is one before that.
 */
export function readQuery(
  text: string,
  { now, until }: { readonly now?: EpochMs; readonly until?: EpochMs } = {},
): Query {
  const words = plainWords(text);
  const roots = [...new Set(significantWords(words).map(rootOf))].slice(0, MAX_TERMS);
  const lower = text.toLowerCase();
  const shape = SHAPES.find(([pattern]) => pattern.test(lower))?.[1];
  return {
    terms: roots.map((term) => ({ term, weight: weightOfTerm(term), instead: relatedWords(term) })),
    words: new Set(words),
    spans: spansIn(text, now ?? 0, until ?? now ?? 0).filter(({ from }) => now !== undefined || from > 0),
    asksTwice: ASKS_TWICE.test(lower),
    ...(shape !== undefined && { shape }),
  };
}

/**
 * Words that occur in questions about anything. In a small store they may be rare by chance, so that frequency alone
 * does not reveal them.
 */
const COMMON_WORDS = new Set(
  `ask become begin big bit call come current currently day describe different favorite favourite feel find first give go good
  great happen help keep kind know last let like look love mean mention name need new next nice old part people person place plan
  put reason recent recently say see show small someone something sort special start stuff take talk tell thing think time try
  type use want way week work year`
    .split(/\s+/)
    .map(rootOf),
);

/** The weight of a match of such a word. */
const COMMON_WORD_WEIGHT = 0.35;

function weightOfTerm(root: string): number {
  return COMMON_WORDS.has(root) ? COMMON_WORD_WEIGHT : 1;
}

const NUMBER =
  /\d|\b(?:once|twice|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|couple|several|half)\b/i;
const PLACE = /\b(?:in|at|to|from|near|around|of) (?:the )?\p{Lu}\p{Ll}+/u;
const PERSON =
  /[\p{Ll},] (?!I\b)\p{Lu}\p{Ll}+|\b(?:mother|mom|mum|father|dad|sister|brother|wife|husband|partner|aunt|uncle|cousin|friend|friends|neighbour|neighbor|boss|teacher|coach|grandma|grandpa|grandmother|grandfather|son|daughter|niece|nephew|colleague|roommate|kids)\b/u;

/** Whether a text contains this kind of answer. */
export function fitsShape(text: string, shape: AnswerShape): boolean {
  switch (shape) {
    case 'time':
      return mentionsTime(text);
    case 'place':
      return PLACE.test(text);
    case 'person':
      return PERSON.test(text);
    case 'number':
      return NUMBER.test(text);
  }
}
