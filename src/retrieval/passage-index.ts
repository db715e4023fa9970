import { LENDING_REACH } from './lend-to-neighbours.ts';
import { PostingList } from './posting-list.ts';
import { type RankOptions, rankForQuery } from './rank-hits.ts';
import { countTerms, readPassage, wordsIn } from './read-passage.ts';
import { type Query, readQuery } from './read-query.ts';
import { rarity, saturation } from './score-terms.ts';
import { rootOf } from './terms.ts';
import type { Candidate, RankedHit, TermStatistics } from './types.ts';
import type { WordVectors } from './word-vectors.ts';

/** How a `PassageIndex` is made. */
export interface PassageIndexOptions {
  /** Vectors that learn from every text that is added, and to rank with; none unless they are handed in. */
  readonly vectors?: WordVectors | false;
}

/** What one search may know, beside what the index knows. */
export interface PassageSearchOptions extends Omit<RankOptions, 'statistics' | 'vectors'> {
  readonly limit: number;
  /** How many texts the words choose before the ranking looks closer. */
  readonly pool?: number;
}

const POOL = 150;
const RELATED_WEIGHT = 0.8;

/** Texts in memory, found by words first and then ranked as by `rankHits` together with the turns around them. */
export class PassageIndex {
  readonly #vectors: WordVectors | undefined;
  #candidates: (Candidate | undefined)[] = [];
  #lengths: number[] = [];
  #numbers = new Map<string, number>();
  #postings = new Map<string, PostingList>();
  #turns = new Map<string, Map<number, number>>();
  readonly #speakers = new Set<string>();
  #totalLength = 0;

  constructor({ vectors = false }: PassageIndexOptions = {}) {
    this.#vectors = vectors === false ? undefined : vectors;
  }

  /** How many texts the index holds. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Adds a text, or replaces the one with that id, and lets the vectors learn from it. */
  add(candidate: Candidate): void {
    this.remove(candidate.id);
    this.#file(candidate);
    const before = this.#turnBefore(candidate);
    this.#vectors?.learn(termsIn(candidate), before && termsIn(before));
  }

  /** Takes a text out; what was learned from it stays until the vectors are learned anew. */
  remove(id: string): void {
    const number = this.#numbers.get(id);
    const candidate = number === undefined ? undefined : this.#candidates[number];
    if (number === undefined || !candidate) return;
    for (const term of countTerms(candidate).keys()) this.#postings.get(term)?.forgetOne();
    this.#totalLength -= this.#lengths[number] ?? 0;
    this.#candidates[number] = undefined;
    this.#numbers.delete(id);
    const { conversation, order } = candidate;
    if (conversation !== undefined && order !== undefined) this.#turns.get(conversation)?.delete(order);
    if (this.#candidates.length > 64 && this.#numbers.size < this.#candidates.length / 2) this.#refile();
  }

  /** The texts that answer a query, best first. */
  search(query: string, { pool = POOL, ...options }: PassageSearchOptions): RankedHit[] {
    const vectors = this.#vectors;
    const known = { ...options, ...(vectors && { vectors }) };
    const read = readQuery(query, known);
    const chosen = [...this.#choose(read, pool), ...this.#inTime(read, pool)];
    return rankForQuery(read, this.#withNeighbours(chosen), { ...known, statistics: this.statistics() });
  }

  /** How common terms are in the index. */
  statistics(): TermStatistics {
    return {
      documents: this.size,
      averageLength: this.size === 0 ? 0 : this.#totalLength / this.size,
      documentsWith: (term) => this.#postings.get(term)?.documents ?? 0,
    };
  }

  #file(candidate: Candidate): void {
    const { speaker, terms } = readPassage(candidate);
    const number = this.#candidates.push(candidate) - 1;
    this.#numbers.set(candidate.id, number);
    for (const name of wordsIn(speaker)) this.#speakers.add(rootOf(name));
    this.#lengths.push(terms.length);
    this.#totalLength += terms.length;
    for (const [term, count] of countTerms(candidate)) {
      const postings = this.#postings.get(term) ?? new PostingList();
      postings.add(number, count);
      this.#postings.set(term, postings);
    }
    const { conversation, order } = candidate;
    if (conversation === undefined || order === undefined) return;
    const turns = this.#turns.get(conversation) ?? new Map<number, number>();
    turns.set(order, number);
    this.#turns.set(conversation, turns);
  }

  /** Files what is left once more, so that what was taken out costs nothing. */
  #refile(): void {
    const left = this.#candidates.filter((candidate) => candidate !== undefined);
    this.#candidates = [];
    this.#lengths = [];
    this.#numbers = new Map();
    this.#postings = new Map();
    this.#turns = new Map();
    this.#totalLength = 0;
    for (const candidate of left) this.#file(candidate);
  }

  /** The numbers of the texts that hold most of a query, by words alone. */
  #choose({ terms }: Query, pool: number): number[] {
    const scores = new Float32Array(this.#candidates.length);
    const statistics = this.statistics();
    for (const { term, instead } of terms) {
      if (this.#speakers.has(term)) continue;
      const own = rarity(term, statistics);
      this.#addScores(scores, term, own, statistics.averageLength);
      for (const other of instead) {
        const telling = Math.min(own, rarity(other.term, statistics)) * other.weight * RELATED_WEIGHT;
        this.#addScores(scores, other.term, telling, statistics.averageLength);
      }
    }
    const found: number[] = [];
    scores.forEach((score, number) => {
      if (score > 0 && this.#candidates[number]) found.push(number);
    });
    return found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, pool);
  }

  /** The newest texts from the times that a query names. */
  #inTime({ spans }: Query, pool: number): number[] {
    const found: number[] = [];
    if (spans.length === 0) return found;
    for (let number = this.#candidates.length - 1; number >= 0 && found.length < pool; number -= 1) {
      const at = this.#candidates[number]?.at;
      if (at !== undefined && spans.some(({ from, to }) => at >= from && at <= to)) found.push(number);
    }
    return found;
  }

  #addScores(scores: Float32Array, term: string, telling: number, averageLength: number): void {
    this.#postings.get(term)?.forEach((number, count) => {
      const length = this.#lengths[number] ?? 0;
      scores[number] = (scores[number] ?? 0) + telling * saturation(count, length, averageLength);
    });
  }

  #withNeighbours(numbers: readonly number[]): Candidate[] {
    const chosen = new Set(numbers);
    for (const number of numbers) {
      const { conversation, order } = this.#candidates[number] ?? {};
      if (conversation === undefined || order === undefined) continue;
      for (let turn = order - LENDING_REACH; turn <= order + LENDING_REACH; turn += 1) {
        const neighbour = this.#turns.get(conversation)?.get(turn);
        if (neighbour !== undefined) chosen.add(neighbour);
      }
    }
    return [...chosen].flatMap((number) => this.#candidates[number] ?? []);
  }

  #turnBefore({ conversation, order }: Candidate): Candidate | undefined {
    if (conversation === undefined || order === undefined) return undefined;
    const number = this.#turns.get(conversation)?.get(order - 1);
    return number === undefined ? undefined : this.#candidates[number];
  }
}

function termsIn(candidate: Candidate): string[] {
  return [...countTerms(candidate).keys()];
}
