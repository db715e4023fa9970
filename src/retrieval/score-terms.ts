import { hashOf, type Passage } from './read-passage.ts';
import type { QueryTerm } from './read-query.ts';

interface TermStatistics {
  readonly documents: number;
  readonly averageLength: number;
  documentsWith(term: string): number;
}

/** A bit table of hashes that rejects most words of a text quickly. */
const SIEVE = 1_024;
const SATURATION = 1.2;
const LENGTH_SHARE = 0.4;

/** Counts the terms of a query and their related words over these passages; other words are skipped, because most are. */
export function statisticsOf(passages: readonly Passage[], terms: readonly QueryTerm[]): TermStatistics {
  const having = new Map<number, number>();
  const sieve = new Uint8Array(SIEVE);
  for (const { term, instead } of terms)
    for (const word of [term, ...instead.map((other) => other.term)]) {
      const hash = hashOf(word);
      having.set(hash, 0);
      sieve[hash & (SIEVE - 1)] = 1;
    }
  let total = 0;
  for (const { terms: own } of passages) {
    total += own.length;
    for (let place = 0; place < own.length; place += 1) {
      const hash = own[place] as number;
      // Equal hashes are adjacent.
      if (sieve[hash & (SIEVE - 1)] === 0 || (place > 0 && own[place - 1] === hash)) continue;
      const count = having.get(hash);
      if (count !== undefined) having.set(hash, count + 1);
    }
  }
  return {
    documents: passages.length,
    averageLength: passages.length === 0 ? 0 : total / passages.length,
    documentsWith: (term) => having.get(hashOf(term)) ?? 0,
  };
}

/** Inverse document frequency: rarer terms count more. */
function rarity(term: string, statistics: TermStatistics): number {
  const having = statistics.documentsWith(term);
  return Math.log(1 + (Math.max(statistics.documents - having, 0) + 0.5) / (having + 0.5));
}

/** The weight of a term count in a text of this length, between 0 and 1. */
function saturation(count: number, length: number, averageLength: number): number {
  const relative = averageLength === 0 ? 1 : length / averageLength;
  return count / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative));
}

/** How much of a query a passage contains. */
export interface TermScore {
  readonly keyword: number;
  /** The additional score of related words. */
  readonly related: number;
  readonly found: readonly string[];
}

const NOTHING_FOUND: TermScore = { keyword: 0, related: 0, found: [] };

/** How a word contributes to one term of the query. */
interface Use {
  /** The index of the term. */
  readonly of: number;
  readonly word: string;
  readonly isOwn: boolean;
  readonly weight: number;
}

/** Scores passages against the terms of one query. A passage that contains all of them often scores near 1. */
export class TermScorer {
  readonly #terms: readonly QueryTerm[];
  readonly #uses = new Map<number, Use[]>();
  readonly #sieve = new Uint8Array(SIEVE);
  readonly #averageLength: number;
  readonly #whole: number;
  /** Scores of the current passage, by term of the query. */
  readonly #own: Float64Array;
  readonly #best: Float64Array;
  readonly #by: string[];

  constructor(terms: readonly QueryTerm[], statistics: TermStatistics, relatedWeight: number) {
    this.#terms = terms;
    this.#averageLength = statistics.averageLength;
    this.#own = new Float64Array(terms.length);
    this.#best = new Float64Array(terms.length);
    this.#by = terms.map(() => '');
    let whole = 0;
    for (const [of, { term, weight, instead }] of terms.entries()) {
      const own = rarity(term, statistics);
      whole += own * weight;
      this.#use({ of, word: term, isOwn: true, weight: own });
      if (relatedWeight === 0) continue;
      for (const other of instead) {
        const score = Math.min(rarity(other.term, statistics), own) * other.weight * relatedWeight;
        this.#use({ of, word: other.term, isOwn: false, weight: score });
      }
    }
    this.#whole = whole || 1;
  }

  score({ terms }: Passage): TermScore {
    let isFound = false;
    for (let place = 0; place < terms.length; ) {
      const hash = terms[place] as number;
      if (this.#sieve[hash & (SIEVE - 1)] === 0) {
        place += 1;
        continue;
      }
      let count = 0;
      for (; terms[place] === hash; place += 1) count += 1;
      const uses = this.#uses.get(hash);
      if (uses === undefined) continue;
      if (!isFound) this.#begin();
      isFound = true;
      const share = saturation(count, terms.length, this.#averageLength);
      for (const use of uses) this.#take(use, share);
    }
    return isFound ? this.#summed() : NOTHING_FOUND;
  }

  #use(use: Use): void {
    const hash = hashOf(use.word);
    this.#sieve[hash & (SIEVE - 1)] = 1;
    const known = this.#uses.get(hash);
    if (known) known.push(use);
    else this.#uses.set(hash, [use]);
  }

  #begin(): void {
    this.#own.fill(0);
    this.#best.fill(0);
    this.#by.fill('');
  }

  #take({ of, word, isOwn, weight }: Use, share: number): void {
    const score = weight * share;
    if (isOwn) this.#own[of] = score;
    const best = this.#best[of] as number;
    if (score < best || (score === best && !isOwn)) return;
    this.#best[of] = score;
    this.#by[of] = word;
  }

  #summed(): TermScore {
    let [keyword, related] = [0, 0];
    for (const [of, { weight }] of this.#terms.entries()) {
      const own = this.#own[of] as number;
      keyword += weight * own;
      related += weight * ((this.#best[of] as number) - own);
    }
    const found = this.#by.filter((word) => word !== '');
    return { keyword: keyword / this.#whole, related: related / this.#whole, found };
  }
}
