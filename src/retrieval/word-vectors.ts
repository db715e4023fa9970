import { OkaError } from '../kernel/index.ts';
import type { RetrievalErrorCode } from './errors.ts';
import { ByteReader, ByteWriter } from './packed-bytes.ts';
import type { RelatedWord } from './related-words.ts';
import { termsOf } from './terms.ts';

const FORMAT = 1;
const SPARKS = 8;
const MOST_TERMS_OF_A_TEXT = 64;
const OWN_SHARE = 0.6;
const FEWEST_SIGHTINGS = 2;
const MOST_DIRECTIONS = 4096;

/**
 * Vectors of words, learned from a workspace's own texts as they come (random indexing): words that keep the same company
 * get near vectors. The same texts in the same order give the same vectors; nothing but arithmetic is needed.
 */
export class WordVectors {
  readonly dimensions: number;
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  #sightings = new Uint32Array(256);
  #vectors: Float32Array;
  readonly #lengths: number[] = [];
  readonly #sum: Float64Array;
  #texts = 0;
  /** Directions worked out since the last text was learned. */
  readonly #directions = new Map<number, Float32Array>();
  #shared: Float32Array | undefined;

  constructor(dimensions = 128) {
    this.dimensions = dimensions;
    this.#vectors = new Float32Array(256 * dimensions);
    this.#sum = new Float64Array(dimensions);
  }

  /** How many texts were learned. */
  get texts(): number {
    return this.#texts;
  }

  /** Takes in one text: each of its words moves towards the company it keeps there. */
  learn(text: string): void {
    this.#texts += 1;
    this.#directions.clear();
    this.#shared = undefined;
    const terms = [...new Set(termsOf(text))].slice(0, MOST_TERMS_OF_A_TEXT);
    const numbers = terms.map((term) => this.#numberOf(term));
    for (const number of numbers) this.#sightings[number] = (this.#sightings[number] ?? 0) + 1;
    const weights = numbers.map((number) => 1 / Math.sqrt(this.#sightings[number] ?? 1));
    const company = new Float64Array(this.dimensions);
    terms.forEach((term, place) => {
      addSparks(company, term, weights[place] ?? 0);
    });
    terms.forEach((term, place) => {
      const own = new Float64Array(this.dimensions);
      addSparks(own, term, weights[place] ?? 0);
      const start = (numbers[place] ?? 0) * this.dimensions;
      for (let axis = 0; axis < this.dimensions; axis += 1) {
        const gain = (company[axis] ?? 0) - (own[axis] ?? 0);
        this.#vectors[start + axis] = (this.#vectors[start + axis] ?? 0) + gain;
        this.#sum[axis] = (this.#sum[axis] ?? 0) + gain;
      }
      this.#measure(numbers[place] ?? 0);
    });
  }

  /** The direction of a text, of length 1, or of length 0 where none of its words is known. */
  vectorOf(text: string): Float32Array {
    return this.vectorOfTerms(termsOf(text).map((term) => ({ term, weight: 1 })));
  }

  /** The direction of weighted terms; rare words count more. */
  vectorOfTerms(terms: readonly RelatedWord[]): Float32Array {
    const vector = new Float32Array(this.dimensions);
    const mean = this.#mean();
    for (const { term, weight } of terms) {
      const number = this.#numbers.get(term);
      if (number === undefined) continue;
      const rarity = Math.log(1 + this.#texts / (this.#sightings[number] ?? 1)) * weight;
      const word = this.#wordVector(number, mean);
      for (let axis = 0; axis < this.dimensions; axis += 1)
        vector[axis] = (vector[axis] ?? 0) + rarity * (1 - OWN_SHARE) * (word[axis] ?? 0);
      addSparks(vector, term, (rarity * OWN_SHARE) / Math.sqrt(SPARKS));
    }
    return normalise(vector);
  }

  /** The known words that keep the most similar company to a word, nearest first, with their cosine. */
  similarTo(term: string, limit: number, least = 0.5): RelatedWord[] {
    const number = this.#numbers.get(term);
    if (number === undefined || (this.#sightings[number] ?? 0) < FEWEST_SIGHTINGS) return [];
    const target = this.#wordVector(number, this.#mean());
    const found: RelatedWord[] = [];
    for (let other = 0; other < this.#words.length; other += 1) {
      if (other === number || (this.#sightings[other] ?? 0) < FEWEST_SIGHTINGS) continue;
      const cosine = this.#cosineTo(target, other);
      if (cosine >= least) found.push({ term: this.#words[other] ?? '', weight: cosine });
    }
    return found.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, limit);
  }

  /** All that was learned, as bytes to be stored; `WordVectors.from` reads them. */
  toBytes(): Uint8Array {
    const writer = new ByteWriter();
    for (const value of [FORMAT, this.dimensions, this.#texts, this.#words.length]) writer.count(value);
    this.#words.forEach((word, number) => {
      writer.text(word);
      writer.count(this.#sightings[number] ?? 0);
      writer.floats(this.#vectors.subarray(number * this.dimensions, (number + 1) * this.dimensions));
    });
    return writer.bytes();
  }

  /** What `toBytes` wrote, to be learned on. */
  static from(bytes: Uint8Array): WordVectors {
    const reader = new ByteReader(bytes);
    try {
      if (reader.count() !== FORMAT) throw new RangeError('another format');
      return WordVectors.#read(reader);
    } catch (cause) {
      throw new OkaError<RetrievalErrorCode>(
        'retrieval.vectors_unreadable',
        'The stored word vectors could not be read. Throw them away and learn the texts of the workspace again.',
        { data: { bytes: bytes.length }, cause },
      );
    }
  }

  static #read(reader: ByteReader): WordVectors {
    const vectors = new WordVectors(reader.count());
    vectors.#texts = reader.count();
    for (let left = reader.count(); left > 0; left -= 1) {
      const number = vectors.#numberOf(reader.text());
      vectors.#sightings[number] = reader.count();
      const values = reader.floats(vectors.dimensions);
      vectors.#vectors.set(values, number * vectors.dimensions);
      vectors.#measure(number);
      values.forEach((value, axis) => {
        vectors.#sum[axis] = (vectors.#sum[axis] ?? 0) + value;
      });
    }
    return vectors;
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#words.push(term) - 1;
    this.#numbers.set(term, number);
    if (number >= this.#sightings.length) this.#grow();
    return number;
  }

  #grow(): void {
    const [sightings, vectors] = [this.#sightings, this.#vectors];
    this.#sightings = new Uint32Array(sightings.length * 2);
    this.#sightings.set(sightings);
    this.#vectors = new Float32Array(vectors.length * 2);
    this.#vectors.set(vectors);
  }

  /** The direction that all words share, which tells none of them apart. */
  #mean(): Float32Array {
    this.#shared ??= normalise(Float32Array.from(this.#sum));
    return this.#shared;
  }

  #wordVector(number: number, mean: Float32Array): Float32Array {
    const known = this.#directions.get(number);
    if (known) return known;
    const vector = this.#vectors.slice(number * this.dimensions, (number + 1) * this.dimensions);
    const shared = dot(vector, mean);
    for (let axis = 0; axis < vector.length; axis += 1)
      vector[axis] = (vector[axis] ?? 0) - shared * (mean[axis] ?? 0);
    const direction = normalise(vector);
    if (this.#directions.size < MOST_DIRECTIONS) this.#directions.set(number, direction);
    return direction;
  }

  /** The cosine of a direction and a word; what the word shares with all others counts against it. */
  #cosineTo(target: Float32Array, number: number): number {
    const length = this.#lengths[number] ?? 0;
    if (length === 0) return 0;
    const start = number * this.dimensions;
    const vectors = this.#vectors;
    let along = 0;
    for (let axis = 0; axis < target.length; axis += 1)
      along += (vectors[start + axis] as number) * (target[axis] as number);
    return along / length;
  }

  #measure(number: number): void {
    const vector = this.#vectors.subarray(number * this.dimensions, (number + 1) * this.dimensions);
    this.#lengths[number] = Math.sqrt(dot(vector, vector));
  }
}

/** The inner product of two vectors: their cosine, if both have length 1. */
export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis += 1) sum += (one[axis] ?? 0) * (other[axis] ?? 0);
  return sum;
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Adds the fixed sparse pattern that stands for a word: a few places, up or down, that its letters decide. */
function addSparks(vector: Float32Array | Float64Array, term: string, weight: number): void {
  let state = 2166136261;
  for (let place = 0; place < term.length; place += 1)
    state = Math.imul(state ^ term.charCodeAt(place), 16777619) >>> 0;
  for (let spark = 0; spark < SPARKS; spark += 1) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917) >>> 0;
    const axis = (mixed >>> 1) % vector.length;
    vector[axis] = (vector[axis] ?? 0) + ((mixed & 1) === 0 ? weight : -weight);
  }
}
