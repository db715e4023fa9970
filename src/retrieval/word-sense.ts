import { comparison, meanDirection } from './centre.ts';
import { hashOf, hashTerms, type Passage } from './read-passage.ts';
import type { WordVectors } from './word-vectors.ts';

/** Compares texts by the static vectors of their words. */
export class WordSense {
  readonly #vectors: WordVectors;
  /** Passages are cached by their store, so their directions are too. */
  readonly #directions = new WeakMap<Passage, Float32Array | typeof NONE>();

  constructor(vectors: WordVectors) {
    this.#vectors = vectors;
  }

  /** The mean direction of texts, given as terms separated by spaces. */
  mean(texts: readonly string[]): Float32Array | undefined {
    return meanDirection(texts.flatMap((terms) => this.#vectors.direction(hashTerms(terms)) ?? []));
  }

  /** The similarity of passages to these terms, from 0 to 1, centred by the mean. */
  likeness(
    terms: readonly string[],
    mean: Float32Array | undefined,
  ): ((passage: Passage) => number) | undefined {
    const direction = this.#vectors.direction(terms.map(hashOf));
    if (direction === undefined) return undefined;
    const compare = comparison(direction, mean);
    return (passage) => {
      const own = this.#directionOf(passage);
      return own === NONE ? 0 : compare(own);
    };
  }

  #directionOf(passage: Passage): Float32Array | typeof NONE {
    const known = this.#directions.get(passage);
    if (known !== undefined) return known;
    const direction = this.#vectors.direction(passage.terms) ?? NONE;
    this.#directions.set(passage, direction);
    return direction;
  }
}

const NONE = Symbol('none');
