import type { Passage } from './read-passage.ts';
import type { Query, QueryTerm } from './read-query.ts';
import { rarity } from './score-terms.ts';
import type { RankedHit, TermStatistics } from './types.ts';

const BEST_HITS = 5;
const MOST_TERMS = 8;
const FEWEST_HITS = 2;

/** The telling words that several of the best hits of a first pass share and the query did not name. */
export function feedbackTerms(
  hits: readonly RankedHit[],
  passages: readonly Passage[],
  query: Query,
  statistics: TermStatistics,
): QueryTerm[] {
  const best = hits
    .map(({ score, id }, place) => ({ score, id, place }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, BEST_HITS);
  const asked = new Set(query.terms.map(({ term }) => term));
  const found = new Map<string, { hits: number; strength: number }>();
  for (const { score, place } of best) {
    for (const term of passages[place]?.counts.keys() ?? []) {
      if (asked.has(term)) continue;
      const before = found.get(term) ?? { hits: 0, strength: 0 };
      found.set(term, { hits: before.hits + 1, strength: before.strength + score });
    }
  }
  return [...found]
    .filter(([, { hits: count }]) => count >= FEWEST_HITS)
    .map(([term, { strength }]) => ({ term, weight: strength * rarity(term, statistics), instead: [] }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_TERMS);
}
