const FIRST_SIZE = 256;
/** How many times the limit is collected before the worst are dropped. */
const COLLECT_FACTOR = 4;

/** The signs of a vector, one bit each: a compact form for searching by direction. */
export function signatureOf(vector: Float32Array): Uint8Array {
  const signature = new Uint8Array(Math.ceil(vector.length / 8));
  for (let axis = 0; axis < vector.length; axis += 1)
    if ((vector[axis] as number) > 0)
      signature[axis >> 3] = (signature[axis >> 3] as number) | (1 << (axis & 7));
  return signature;
}

/** Signatures of many texts by place. A search scans all of them. */
export class SignatureTable {
  readonly #bytes: number;
  #places = new Uint32Array(FIRST_SIZE);
  #signatures: Uint8Array;
  #size = 0;

  constructor(dimensions: number) {
    this.#bytes = paddedBytes(dimensions);
    this.#signatures = new Uint8Array(FIRST_SIZE * this.#bytes);
  }

  get size(): number {
    return this.#size;
  }

  /** The largest place, or -1. Places are added in rising order. */
  get last(): number {
    return this.#size === 0 ? -1 : (this.#places[this.#size - 1] as number);
  }

  add(place: number, signature: Uint8Array): void {
    if (this.#size === this.#places.length) this.#grow();
    this.#places[this.#size] = place;
    this.#signatures.set(signature.subarray(0, this.#bytes), this.#size * this.#bytes);
    this.#size += 1;
  }

  /** Removes the entry with the largest place. */
  removeLast(): void {
    if (this.#size > 0) this.#size -= 1;
  }

  /** Collects the texts with the best matching signs. */
  search(nearest: NearestSignatures): void {
    const { sums } = nearest;
    const [signatures, bytes] = [this.#signatures, this.#bytes];
    for (let entry = 0, at = 0; entry < this.#size; entry += 1) {
      let score = 0;
      // Eight at a time, because queries spend most of their time here.
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
      if (score > nearest.minimum) nearest.add(this.#places[entry] as number, score);
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

/** Collects the texts nearest to a direction. */
export class NearestSignatures {
  /** The score of every value of every byte. */
  readonly sums: Float32Array;
  readonly #limit: number;
  #best: { readonly place: number; readonly score: number }[] = [];
  /** Lower scores cannot be among the best. */
  minimum = Number.NEGATIVE_INFINITY;

  /** `direction` may be another search, to reuse its sums. */
  constructor(direction: Float32Array | NearestSignatures, limit: number) {
    this.sums = direction instanceof NearestSignatures ? direction.sums : byteSums(direction);
    this.#limit = limit;
  }

  add(place: number, score: number): void {
    this.#best.push({ place, score });
    if (this.#best.length < this.#limit * COLLECT_FACTOR) return;
    this.#best = this.#sorted();
    this.minimum = this.#best.at(-1)?.score ?? this.minimum;
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

/** The bytes of a signature: a multiple of eight. */
function paddedBytes(dimensions: number): number {
  return 8 * Math.ceil(dimensions / 64);
}

/** The contribution of every value of every byte to the similarity with a direction. */
function byteSums(direction: Float32Array): Float32Array {
  const bytes = paddedBytes(direction.length);
  const sums = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte += 1) {
    const start = byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      sums[start] = (sums[start] as number) - (direction[byte * 8 + bit] ?? 0);
    // Each value is its highest bit plus a smaller value.
    for (let bit = 0; bit < 8; bit += 1) {
      const twice = 2 * (direction[byte * 8 + bit] ?? 0);
      for (let below = 0; below < 1 << bit; below += 1)
        sums[start | (1 << bit) | below] = (sums[start | below] as number) + twice;
    }
  }
  return sums;
}
