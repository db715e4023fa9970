import { memoize } from '../kernel/index.ts';
import { irregularForms } from './irregular-forms.ts';
import { stem } from './tokenise.ts';

const MOST_ROOTS = 50_000;
const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be been before being but by can could d did do does doing done
  down each else ever few for from get got had has have having he hello her here hers hey hi him his how i if in into is it its itself just kind ll
  lot m make many may me might mine more most much my no nor not of off oh ok okay on once one only or other our ours out over own
  re s same she should so some such t than that the their theirs them then there these they thing this those to too um up us ve
  very was we were what when where whether which while who whom whose why will with would yeah yes you your yours`.split(
    /\s+/,
  ),
);

/** What is longer is no word that anybody would look for. */
const LONGEST_WORD = 64;

/** The terms of a text in order: stems of its words without possessives and without words that say nothing. */
export function termsOf(text: string): string[] {
  return tellingWords(plainWords(text)).map(rootOf);
}

/** The words of a text in lower case, with contractions and possessives cut off and accents folded. */
export function plainWords(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[’ʼ]/g, "'")
      .toLowerCase()
      .replace(/n't\b/g, '')
      .replace(/'(?:s|ll|ve|re|d|m)\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => word.length <= LONGEST_WORD);
}

/** The words that say what a text is about; all of them, where none does. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** The root that the forms of an English word share: its stem, with the irregular verbs and plurals. */
export const rootOf = memoize(MOST_ROOTS, (word) => stem(irregularForms.get(word) ?? word));
