const FIRST_SIZE = 256;
/** So many more than are wanted are gathered before the worst of them are let go. */
const GATHERED = 4;

/** The signs of a vector, one bit each: what is kept of a text to find it by its direction. */
export function signatureOf(vector: Float32Array): Uint8Array {
  const signature = new Uint8Array(Math.ceil(vector.length / 8));
  for (let axis = 0; axis < vector.length; axis += 1)
    if ((vector[axis] as number) > 0)
      signature[axis >> 3] = (signature[axis >> 3] as number) | (1 << (axis & 7));
  return signature;
}

/** Signatures of many texts by their number, looked through as a whole for each query. */
export class SignatureTable {
  readonly #bytes: number;
  #places = new Uint32Array(FIRST_SIZE);
  #signatures: Uint8Array;
  #size = 0;

  /** `dimensions` of the vectors that the signatures come from. */
  constructor(dimensions: number) {
    this.#bytes = paddedBytes(dimensions);
    this.#signatures = new Uint8Array(FIRST_SIZE * this.#bytes);
  }

  get size(): number {
    return this.#size;
  }

  /** The largest number so far, or -1. Numbers are added in rising order. */
  get last(): number {
    return this.#size === 0 ? -1 : (this.#places[this.#size - 1] as number);
  }

  add(place: number, signature: Uint8Array): void {
    if (this.#size === this.#places.length) this.#grow();
    this.#places[this.#size] = place;
    this.#signatures.set(signature.subarray(0, this.#bytes), this.#size * this.#bytes);
    this.#size += 1;
  }

  /** Takes out the entry with the largest number. */
  removeLast(): void {
    if (this.#size > 0) this.#size -= 1;
  }

  /** Gathers the texts whose signs fit best. */
  search(nearest: NearestSignatures): void {
    const { sums } = nearest;
    const [signatures, bytes] = [this.#signatures, this.#bytes];
    for (let entry = 0, at = 0; entry < this.#size; entry += 1) {
      let score = 0;
      // Eight at a time, because this is where a query spends most of its time.
      for (let byte = 0; byte < bytes; byte += 8, at += 8) {
        const start = byte << 8;
        score +=
          (sums[start | (signatures[at] as number)] as number) +
          (sums[(start + 256) | (signatures[at + 1] as number)] as number) +
          (sums[(start + 512) | (signatures[at + 2] as number)] as number) +
          (sums[(start + 768) | (signatures[at + 3] as number)] as number) +
          (sums[(start + 1024) | (signatures[at + 4] as number)] as number) +
          (sums[(start + 1280) | (signatures[at + 5] as number)] as number) +
          (sums[(start + 1536) | (signatures[at + 6] as number)] as number) +
          (sums[(start + 1792) | (signatures[at + 7] as number)] as number);
      }
      if (score > nearest.least) nearest.add(this.#places[entry] as number, score);
    }
  }

  #grow(): void {
    const [places, signatures] = [this.#places, this.#signatures];
    this.#places = new Uint32Array(places.length * 2);
    this.#places.set(places);
    this.#signatures = new Uint8Array(signatures.length * 2);
    this.#signatures.set(signatures);
  }
}

/** The best of what tables are searched for: the texts nearest to a direction. */
export class NearestSignatures {
  /** What every value of every byte adds to a score. */
  readonly sums: Float32Array;
  readonly #limit: number;
  #best: { readonly place: number; readonly score: number }[] = [];
  /** What does not score more cannot be among the best. */
  least = Number.NEGATIVE_INFINITY;

  /** `direction` may be the one of another search, which has worked out its sums. */
  constructor(direction: Float32Array | NearestSignatures, limit: number) {
    this.sums = direction instanceof NearestSignatures ? direction.sums : byteSums(direction);
    this.#limit = limit;
  }

  add(place: number, score: number): void {
    this.#best.push({ place, score });
    if (this.#best.length < this.#limit * GATHERED) return;
    this.#best = this.#sorted();
    this.least = this.#best.at(-1)?.score ?? this.least;
  }

  /** Best first. */
  places(): number[] {
    return this.#sorted().map(({ place }) => place);
  }

  #sorted(): { readonly place: number; readonly score: number }[] {
    return this.#best
      .sort((one, other) => other.score - one.score || one.place - other.place)
      .slice(0, this.#limit);
  }
}

/** So many bytes has a signature in a table: eight, or a multiple of that. */
function paddedBytes(dimensions: number): number {
  return 8 * Math.ceil(dimensions / 64);
}

/** What every value of every byte of a signature adds to the likeness with a direction. */
function byteSums(direction: Float32Array): Float32Array {
  const bytes = paddedBytes(direction.length);
  const sums = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte += 1) {
    const start = byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      sums[start] = (sums[start] as number) - (direction[byte * 8 + bit] ?? 0);
    // Each value is one with fewer bits set, and its highest bit.
    for (let bit = 0; bit < 8; bit += 1) {
      const twice = 2 * (direction[byte * 8 + bit] ?? 0);
      for (let below = 0; below < 1 << bit; below += 1)
        sums[start | (1 << bit) | below] = (sums[start | below] as number) + twice;
    }
  }
  return sums;
}
