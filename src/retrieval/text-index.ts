import { tokenise } from './tokenise.ts';

/** A match of a query. */
interface TextHit {
  readonly id: string;
  readonly score: number;
  /** The matching stems of the query. */
  readonly terms: readonly string[];
}

interface Entry {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** Ranks a small set of documents by BM25. The same documents and query give the same answer, ties by id. */
export class TextIndex {
  readonly #weights: Readonly<Record<string, number>>;
  readonly #entries = new Map<string, Entry>();
  readonly #documentsWith = new Map<string, number>();
  #totalLength = 0;

  /** `weights` are per field; 1 by default. */
  constructor(weights: Readonly<Record<string, number>> = {}) {
    this.#weights = weights;
  }

  /** Adds a document, or replaces the one with that id. */
  add(id: string, fields: Readonly<Record<string, string>>): void {
    this.#remove(id);
    const counts = new Map<string, number>();
    let length = 0;
    for (const [field, text] of Object.entries(fields)) {
      const weight = this.#weights[field] ?? 1;
      for (const term of tokenise(text)) {
        counts.set(term, (counts.get(term) ?? 0) + weight);
        length += weight;
      }
    }
    this.#entries.set(id, { counts, length });
    this.#totalLength += length;
    for (const term of counts.keys()) this.#documentsWith.set(term, (this.#documentsWith.get(term) ?? 0) + 1);
  }

  /** The documents that contain at least one word of the query, best first. */
  search(query: string, limit: number): TextHit[] {
    const terms = [...new Set(tokenise(query))];
    const hits: TextHit[] = [];
    for (const [id, entry] of this.#entries) {
      const found = terms.filter((term) => entry.counts.has(term));
      if (found.length === 0) continue;
      const score = found.reduce((sum, term) => sum + this.#rarity(term) * this.#frequency(term, entry), 0);
      hits.push({ id, score, terms: found });
    }
    return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  #rarity(term: string): number {
    const having = this.#documentsWith.get(term) ?? 0;
    return Math.log(1 + (this.#entries.size - having + 0.5) / (having + 0.5));
  }

  #frequency(term: string, { counts, length }: Entry): number {
    const count = counts.get(term) ?? 0;
    const average = this.#totalLength / this.#entries.size;
    return (
      (count * (SATURATION + 1)) /
      (count + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average))
    );
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#totalLength -= entry.length;
    for (const term of entry.counts.keys())
      this.#documentsWith.set(term, (this.#documentsWith.get(term) ?? 1) - 1);
  }
}
