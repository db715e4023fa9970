import type { ScoreSheet } from './score-sheet.ts';

/** The share of its word score that a passage loses if passages before it contain the same words. */
const REPEATED_SHARE = 0.5;
/** Only so many of the best passages compete. */
const POOL = 40;

/**
 * Orders the best passages so that they complement each other: words of the query, or related ones, that passages before it
 * contain count less for a passage. Otherwise ten texts about one half of a question would push out the other half.
 */
export function chooseComplementary(sheet: ScoreSheet, order: readonly number[]): readonly number[] {
  const sums = sheet.sums();
  const left = order.slice(0, POOL);
  const covered = new Map<string, number>();
  const chosen: number[] = [];
  const scoreOf = (place: number): number => {
    const terms = sheet.terms(place);
    if (terms.length === 0) return sums[place] as number;
    const own = sheet.part(place, 'keyword') + sheet.part(place, 'related');
    const known = terms.reduce((sum, term) => sum + 1 - 1 / (1 + (covered.get(term) ?? 0)), 0);
    return (sums[place] as number) - (REPEATED_SHARE * own * known) / terms.length;
  };
  while (left.length > 0) {
    let [best, bestScore] = [0, Number.NEGATIVE_INFINITY];
    for (const [at, place] of left.entries()) {
      const score = scoreOf(place);
      if (score > bestScore) [best, bestScore] = [at, score];
    }
    const [place] = left.splice(best, 1) as [number];
    chosen.push(place);
    for (const term of sheet.terms(place)) covered.set(term, (covered.get(term) ?? 0) + 1);
  }
  return [...chosen, ...order.slice(POOL)];
}
