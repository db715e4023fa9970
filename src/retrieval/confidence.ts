import type { ScoreSheet } from './score-sheet.ts';

/** How many of the best passages are examined for the words of the query. */
const EXAMINED = 3;

/**
 * How likely the best passages are evidence, from 0 to 1. Two estimates were fitted to dialogues with answerable and
 * unanswerable questions: one by the score of the best passage, one by the words alone, because a fact has no neighbouring
 * turns that raise its score. The higher one counts.
 */
export function confidenceOf(sheet: ScoreSheet, order: readonly number[]): number {
  const [best] = order;
  if (best === undefined) return 0;
  const score = sheet.sums()[best] as number;
  const relevance = score - sheet.part(best, 'importance') - sheet.part(best, 'recency');
  const words = order
    .slice(0, EXAMINED)
    .map((place) => sheet.part(place, 'keyword') + sheet.part(place, 'related'));
  return Math.max(logistic(6.2 * relevance - 3.1), logistic(12.2 * Math.max(...words) - 3.4));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
