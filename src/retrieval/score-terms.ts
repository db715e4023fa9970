import type { Passage } from './read-passage.ts';
import type { QueryTerm } from './read-query.ts';
import type { TermStatistics } from './types.ts';

const SATURATION = 1.2;
const LENGTH_SHARE = 0.4;

/** How common the terms of these passages are among themselves. */
export function statisticsOf(passages: readonly Passage[]): TermStatistics {
  const having = new Map<string, number>();
  let total = 0;
  for (const { counts, length } of passages) {
    total += length;
    for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
  }
  return {
    documents: passages.length,
    averageLength: passages.length === 0 ? 0 : total / passages.length,
    documentsWith: (term) => having.get(term) ?? 0,
  };
}

/** How telling a term is: the rarer, the more. */
export function rarity(term: string, statistics: TermStatistics): number {
  const having = statistics.documentsWith(term);
  return Math.log(1 + (Math.max(statistics.documents - having, 0) + 0.5) / (having + 0.5));
}

/** How much a count of a term says in a text of a length, between 0 and 1. */
export function saturation(count: number, length: number, averageLength: number): number {
  const relative = averageLength === 0 ? 1 : length / averageLength;
  return count / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative));
}

/** A passage's share of a query, by the query's own words and by words that stand for them. */
export interface TermScore {
  readonly keyword: number;
  /** What the words that stand for others add. */
  readonly related: number;
  readonly found: readonly string[];
}

/** Scores passages against the terms of one query; a passage that holds all of it, often, comes near 1. */
export class TermScorer {
  readonly #terms: readonly (QueryTerm & {
    readonly rarity: number;
    readonly others: ReadonlyMap<string, number>;
  })[];
  readonly #statistics: TermStatistics;
  readonly #whole: number;

  constructor(terms: readonly QueryTerm[], statistics: TermStatistics, relatedWeight: number) {
    this.#statistics = statistics;
    this.#terms = terms.map((term) => {
      const own = rarity(term.term, statistics);
      const others = relatedWeight === 0 ? [] : term.instead;
      return {
        ...term,
        rarity: own,
        others: new Map(
          others.map((other) => [
            other.term,
            Math.min(rarity(other.term, statistics), own) * other.weight * relatedWeight,
          ]),
        ),
      };
    });
    this.#whole = this.#terms.reduce((sum, term) => sum + term.rarity * term.weight, 0);
  }

  score(passage: Passage): TermScore {
    let [keyword, related] = [0, 0];
    const found: string[] = [];
    for (const { term, weight, rarity: telling, others } of this.#terms) {
      const own = telling * this.#saturation(term, passage);
      let best = own;
      let by = own > 0 ? term : '';
      for (const [other, otherTelling] of others) {
        const score = otherTelling * this.#saturation(other, passage);
        if (score <= best) continue;
        best = score;
        by = other;
      }
      keyword += weight * own;
      related += weight * (best - own);
      if (by !== '') found.push(by);
    }
    const whole = this.#whole || 1;
    return { keyword: keyword / whole, related: related / whole, found };
  }

  #saturation(term: string, { counts, length }: Passage): number {
    const count = counts.get(term);
    return count === undefined ? 0 : saturation(count, length, this.#statistics.averageLength);
  }
}
