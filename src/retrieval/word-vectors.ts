import { normalise } from './centre.ts';
import { hashOf } from './read-passage.ts';

const MAGIC = 'OKAWV1';
const HEAD_BYTES = 12;

/**
 * Static vectors of word roots. The bytes: `OKAWV1`, the dimensions (u16), the number of roots (u32), the sorted roots (shared
 * prefix length, rest length, rest), a weight of each root (u8: rarer words weigh more), then four bits per dimension.
 */
export class WordVectors {
  readonly dimensions: number;
  readonly #bytes: Uint8Array;
  readonly #weights: number;
  readonly #vectors: number;
  /** The index of a root by its hash. */
  readonly #places = new Map<number, number>();

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC)
      throw new RangeError('The file of word vectors has another format.');
    this.#bytes = bytes;
    this.dimensions = view.getUint16(6, true);
    const count = view.getUint32(8, true);
    let [at, term] = [HEAD_BYTES, ''];
    for (let place = 0; place < count; place += 1) {
      const [same, rest] = [bytes[at] as number, bytes[at + 1] as number];
      term = term.slice(0, same) + String.fromCharCode(...bytes.subarray(at + 2, at + 2 + rest));
      this.#places.set(hashOf(term), place);
      at += 2 + rest;
    }
    this.#weights = at;
    this.#vectors = at + count;
    if (bytes.length !== this.#vectors + (count * this.dimensions) / 2)
      throw new RangeError('The file of word vectors is incomplete.');
  }

  /** The direction of a text with these hashes of terms; undefined if no term has a vector. */
  direction(terms: Iterable<number>): Float32Array | undefined {
    const sum = new Float32Array(this.dimensions);
    let isKnown = false;
    for (const term of terms) {
      const place = this.#places.get(term);
      if (place === undefined) continue;
      isKnown = true;
      this.#add(place, sum);
    }
    return isKnown ? normalise(sum) : undefined;
  }

  #add(place: number, sum: Float32Array): void {
    const half = this.dimensions / 2;
    const start = this.#vectors + place * half;
    let square = 0;
    for (let at = 0; at < half; at += 1) {
      const pair = this.#bytes[start + at] as number;
      square += SQUARES[pair] as number;
    }
    const scale = (this.#bytes[this.#weights + place] as number) / Math.sqrt(square || 1);
    for (let at = 0; at < half; at += 1) {
      const pair = this.#bytes[start + at] as number;
      sum[2 * at] = (sum[2 * at] as number) + scale * ((pair << 28) >> 28);
      sum[2 * at + 1] = (sum[2 * at + 1] as number) + scale * ((pair << 24) >> 28);
    }
  }
}

/** The squares of both halves of a byte, added. */
const SQUARES = Uint8Array.from({ length: 256 }, (_, pair) => {
  const [low, high] = [(pair << 28) >> 28, (pair << 24) >> 28];
  return low * low + high * high;
});
