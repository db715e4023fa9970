import { OkaError } from '../kernel/index.ts';
import type { RetrievalErrorCode } from './errors.ts';
import type { RelatedWord } from './related-words.ts';
import { hashOf } from './term-hashes.ts';
import { termsOf } from './terms.ts';
import type { TermStatistics } from './types.ts';

const FORMAT = 2;
const HEADER = 5;
const SPARKS = 8;
const MOST_TERMS_OF_A_TEXT = 64;
/** Words that come later, when so many are known, get no vector. */
const MOST_WORDS = 32_768;
const OWN_SHARE = 0.6;
/** The length of a word's vector: its company and its own pattern stand about square to each other. */
const WORD_LENGTH = Math.hypot(1 - OWN_SHARE, OWN_SHARE);

/** What words have to do with a direction, by their numbers, as far as they were measured. */
interface Measured {
  readonly along: Float64Array;
  readonly rarity: Float64Array;
  readonly measure: (number: number) => void;
}

/**
 * Vectors of words, learned from a workspace's own texts as they come (random indexing): words that keep the same company
 * get near vectors. The same texts in the same order give the same vectors; nothing but arithmetic is needed. Words are
 * kept as hashes, so that no text can be read from what is stored.
 */
export class WordVectors implements TermStatistics {
  readonly dimensions: number;
  readonly #numbers = new Map<number, number>();
  #hashes = new Uint32Array(256);
  #sightings = new Uint32Array(256);
  /** The places of each word's own pattern, from 1 on, with its sign. */
  #sparks = new Int16Array(256 * SPARKS);
  #vectors: Float32Array;
  #sum: Float64Array;
  #texts = 0;
  #terms = 0;
  /** The directions of words worked out since the last text was learned, and which of them are. */
  #directions: Float32Array | undefined;
  #isKnown: Uint8Array = new Uint8Array(0);
  #scratch: (Omit<Measured, 'measure'> & { readonly turns: Uint32Array; turn: number }) | undefined;
  /** The direction that all words share, which tells none of them apart. */
  #mean: Float32Array = new Float32Array(0);

  constructor(dimensions = 128) {
    this.dimensions = dimensions;
    this.#vectors = new Float32Array(256 * dimensions);
    this.#sum = new Float64Array(dimensions);
  }

  /** How many texts were learned. */
  get texts(): number {
    return this.#texts;
  }

  get documents(): number {
    return this.#texts;
  }

  get averageLength(): number {
    return this.#texts === 0 ? 0 : this.#terms / this.#texts;
  }

  /** How many of the learned texts hold a term. */
  documentsWith(term: string): number {
    const number = this.#numbers.get(hashOf(term));
    return number === undefined ? 0 : (this.#sightings[number] ?? 0);
  }

  /** Takes in the terms of one text: each moves towards the company it keeps there and in what was said just before. */
  learn(terms: readonly string[], before: readonly string[] = []): void {
    this.#texts += 1;
    this.#terms += terms.length;
    this.#directions = undefined;
    const own = this.#numbersOf(terms);
    const all = [...new Set([...own, ...this.#numbersOf(before)])];
    for (const number of own) this.#sightings[number] = (this.#sightings[number] as number) + 1;
    const company = new Float64Array(this.dimensions);
    const weightOf = (number: number): number => 1 / Math.sqrt(this.#sightings[number] || 1);
    for (const number of all) this.#addSparks(company, number, weightOf(number));
    for (const number of all) {
      const vector = this.#vectors.subarray(number * this.dimensions, (number + 1) * this.dimensions);
      for (let axis = 0; axis < vector.length; axis += 1)
        vector[axis] = (vector[axis] as number) + (company[axis] as number);
      this.#addSparks(vector, number, -weightOf(number));
      this.#addSparks(this.#sum, number, -weightOf(number));
    }
    for (let axis = 0; axis < company.length; axis += 1)
      this.#sum[axis] = (this.#sum[axis] as number) + all.length * (company[axis] as number);
  }

  /** The direction of a text, of length 1, or of length 0 where none of its words is known. */
  vectorOf(text: string): Float32Array {
    return this.vectorOfTerms(termsOf(text).map((term) => ({ term, weight: 1 })));
  }

  /** The direction of weighted terms; rare words count more. */
  vectorOfTerms(terms: Iterable<RelatedWord>): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const { term, weight } of terms) {
      const number = this.#numbers.get(hashOf(term));
      if (number !== undefined) this.#addWord(vector, number, this.#rarity(number) * weight);
    }
    return normalise(vector);
  }

  /** Says how alike texts are to a direction, from their terms as `hashTerms` gives them; about their cosine. */
  likenessTo(direction: Float32Array): (terms: Int32Array) => number {
    const measured = this.#measuredWords(direction);
    return (terms) => {
      let [along, squares] = [0, 0];
      for (let place = 0; place < terms.length; ) {
        const hash = terms[place] as number;
        let count = 0;
        for (; terms[place] === hash; place += 1) count += 1;
        const number = this.#numbers.get(hash);
        if (number === undefined) continue;
        measured.measure(number);
        const weight = (measured.rarity[number] as number) * count;
        along += (measured.along[number] as number) * weight;
        squares += weight * weight;
      }
      return squares === 0 ? 0 : Math.min(Math.max(along / Math.sqrt(squares), 0), 1);
    };
  }

  /** What words have to do with a direction, each worked out when it is first met. Kept for the next direction to write over. */
  #measuredWords(direction: Float32Array): Measured {
    const size = this.#hashes.length;
    if (this.#scratch === undefined || this.#scratch.turns.length < size)
      this.#scratch = {
        turns: new Uint32Array(size),
        along: new Float64Array(size),
        rarity: new Float64Array(size),
        turn: 0,
      };
    const scratch = this.#scratch;
    scratch.turn += 1;
    const { turns, along, rarity, turn } = scratch;
    const measure = (number: number): void => {
      if (turns[number] === turn) return;
      turns[number] = turn;
      along[number] = this.#along(direction, number);
      rarity[number] = this.#rarity(number);
    };
    return { along, rarity, measure };
  }

  /** All that was learned, as bytes to be stored; `WordVectors.from` reads them. */
  toBytes(): Uint8Array {
    const words = this.#numbers.size;
    const counts = new Uint32Array(HEADER + 2 * words);
    counts.set([FORMAT, this.dimensions, this.#texts, this.#terms, words]);
    counts.set(this.#hashes.subarray(0, words), HEADER);
    counts.set(this.#sightings.subarray(0, words), HEADER + words);
    const bytes = new Uint8Array(counts.byteLength + 4 * words * this.dimensions + 8 * this.dimensions);
    bytes.set(new Uint8Array(counts.buffer));
    const vectors = this.#vectors.subarray(0, words * this.dimensions);
    bytes.set(new Uint8Array(vectors.buffer, 0, vectors.byteLength), counts.byteLength);
    bytes.set(new Uint8Array(this.#sum.buffer), counts.byteLength + vectors.byteLength);
    return bytes;
  }

  /** What `toBytes` wrote, to be learned on. */
  static from(stored: Uint8Array): WordVectors {
    const bytes = stored.slice();
    const head = bytes.length < 4 * HEADER ? [] : new Uint32Array(bytes.buffer, 0, HEADER);
    const [format, dimensions = 0, texts = 0, terms = 0, words = 0] = head;
    const size = 4 * (HEADER + 2 * words + words * dimensions) + 8 * dimensions;
    if (format !== FORMAT || bytes.length !== size) throw unreadable(bytes.length);
    const vectors = new WordVectors(dimensions);
    vectors.#texts = texts;
    vectors.#terms = terms;
    while (vectors.#hashes.length < words) vectors.#grow();
    vectors.#hashes.set(new Uint32Array(bytes.buffer, 4 * HEADER, words));
    vectors.#sightings.set(new Uint32Array(bytes.buffer, 4 * (HEADER + words), words));
    const start = 4 * (HEADER + 2 * words);
    vectors.#vectors.set(new Float32Array(bytes.buffer, start, words * dimensions));
    const sums = bytes.slice(start + 4 * words * dimensions);
    vectors.#sum = new Float64Array(sums.buffer, 0, dimensions);
    for (let number = 0; number < words; number += 1) {
      const hash = (vectors.#hashes[number] as number) | 0;
      vectors.#numbers.set(hash, number);
      vectors.#sparks.set(sparksOf(hash, dimensions), number * SPARKS);
    }
    return vectors;
  }

  #numbersOf(terms: readonly string[]): Set<number> {
    const numbers = new Set<number>();
    for (const term of terms) {
      if (numbers.size >= MOST_TERMS_OF_A_TEXT) break;
      const number = this.#numberOf(term);
      if (number !== undefined) numbers.add(number);
    }
    return numbers;
  }

  #rarity(number: number): number {
    return Math.log(1 + this.#texts / (this.#sightings[number] || 1));
  }

  #addWord(vector: Float32Array, number: number, weight: number): void {
    const directions = this.#directionsWith(number);
    const start = number * this.dimensions;
    const share = weight * (1 - OWN_SHARE);
    for (let axis = 0; axis < vector.length; axis += 1)
      vector[axis] = (vector[axis] as number) + share * (directions[start + axis] as number);
    this.#addSparks(vector, number, (weight * OWN_SHARE) / Math.sqrt(SPARKS));
  }

  /** About the cosine of a direction and a word. */
  #along(direction: Float32Array, number: number): number {
    const directions = this.#directionsWith(number);
    const start = number * this.dimensions;
    let along = 0;
    for (let axis = 0; axis < direction.length; axis += 1)
      along += (direction[axis] as number) * (directions[start + axis] as number);
    let sparks = 0;
    for (let spark = number * SPARKS; spark < (number + 1) * SPARKS; spark += 1) {
      const place = this.#sparks[spark] as number;
      sparks += place > 0 ? (direction[place - 1] as number) : -(direction[-place - 1] as number);
    }
    return (along * (1 - OWN_SHARE) + (sparks * OWN_SHARE) / Math.sqrt(SPARKS)) / WORD_LENGTH;
  }

  /** Adds the fixed sparse pattern that stands for a word. */
  #addSparks(vector: Float32Array | Float64Array, number: number, weight: number): void {
    for (let spark = number * SPARKS; spark < (number + 1) * SPARKS; spark += 1) {
      const place = this.#sparks[spark] as number;
      const axis = Math.abs(place) - 1;
      vector[axis] = (vector[axis] as number) + (place > 0 ? weight : -weight);
    }
  }

  #numberOf(term: string): number | undefined {
    const hash = hashOf(term);
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= MOST_WORDS) return undefined;
    if (number >= this.#hashes.length) this.#grow();
    this.#numbers.set(hash, number);
    this.#hashes[number] = hash;
    this.#sparks.set(sparksOf(hash, this.dimensions), number * SPARKS);
    return number;
  }

  #grow(): void {
    const [hashes, sightings, sparks, vectors] = [this.#hashes, this.#sightings, this.#sparks, this.#vectors];
    this.#sparks = new Int16Array(sparks.length * 2);
    this.#sparks.set(sparks);
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#sightings = new Uint32Array(sightings.length * 2);
    this.#sightings.set(sightings);
    this.#vectors = new Float32Array(vectors.length * 2);
    this.#vectors.set(vectors);
  }

  /** The directions of words, with this one worked out: its vector without what all words share. */
  #directionsWith(number: number): Float32Array {
    if (this.#directions === undefined) {
      this.#directions = new Float32Array(this.#numbers.size * this.dimensions);
      this.#isKnown = new Uint8Array(this.#numbers.size);
      this.#mean = normalise(Float32Array.from(this.#sum));
    }
    if (this.#isKnown[number] === 1) return this.#directions;
    const mean = this.#mean;
    const vector = this.#vectors.slice(number * this.dimensions, (number + 1) * this.dimensions);
    const shared = dot(vector, mean);
    for (let axis = 0; axis < vector.length; axis += 1)
      vector[axis] = (vector[axis] as number) - shared * (mean[axis] as number);
    this.#directions.set(normalise(vector), number * this.dimensions);
    this.#isKnown[number] = 1;
    return this.#directions;
  }
}

/** The inner product of two vectors: their cosine, if both have length 1. */
export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis += 1) sum += (one[axis] as number) * (other[axis] ?? 0);
  return sum;
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (length === 0) return vector;
  for (let axis = 0; axis < vector.length; axis += 1) vector[axis] = (vector[axis] as number) / length;
  return vector;
}

/** A few places, up or down, that the letters of a word decide. */
function sparksOf(hash: number, dimensions: number): Int16Array {
  const sparks = new Int16Array(SPARKS);
  let state = hash;
  for (let spark = 0; spark < SPARKS; spark += 1) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917) >>> 0;
    const axis = (mixed >>> 1) % dimensions;
    sparks[spark] = (mixed & 1) === 0 ? axis + 1 : -axis - 1;
  }
  return sparks;
}

function unreadable(bytes: number): OkaError {
  return new OkaError<RetrievalErrorCode>(
    'retrieval.vectors_unreadable',
    'the stored word vectors could not be read; make them anew with: oka memory reindex.',
    { data: { bytes } },
  );
}
