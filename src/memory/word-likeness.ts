import { type Passage, WordSense, type WordVectors } from '../retrieval/index.ts';
import type { MemoryParts, TextSearch } from './ports.ts';

type WordLikeness = (terms: readonly string[]) => ((passage: Passage) => number) | undefined;

/** A mean of this many texts is final; that of fewer is computed again when texts were added. */
const FULL_SAMPLE = 256;
const MAX_MEANS = 256;
const WHOLE_MEMORY = '';

interface Mean {
  readonly texts: number;
  readonly isFinal: boolean;
  readonly direction: Float32Array | undefined;
}

/** Compares texts by word vectors, centred by the mean of the searched namespace. */
class NamespaceSense {
  readonly #sense: WordSense;
  readonly #search: TextSearch;
  readonly #means = new Map<string, Mean>();

  constructor(vectors: WordVectors, search: TextSearch) {
    this.#sense = new WordSense(vectors);
    this.#search = search;
  }

  in(namespace: string | undefined): WordLikeness {
    return (terms) => this.#sense.likeness(terms, this.#mean(namespace));
  }

  #mean(namespace: string | undefined): Float32Array | undefined {
    const key = namespace === undefined ? WHOLE_MEMORY : `n${namespace}`;
    const texts = this.#search.texts();
    const known = this.#means.get(key);
    if (known !== undefined && (known.isFinal || known.texts === texts)) return known.direction;
    const sample = this.#search.sample(FULL_SAMPLE, namespace);
    const isFinal = namespace !== undefined && sample.length >= FULL_SAMPLE;
    const direction = this.#sense.mean(sample);
    if (this.#means.size >= MAX_MEANS) this.#means.clear();
    this.#means.set(key, { texts, isFinal, direction });
    return direction;
  }
}

const senses = new WeakMap<TextSearch, NamespaceSense>();

export interface WordReading {
  readonly likeness?: WordLikeness;
  /** Why texts are not compared by word vectors, and what to do about it. */
  readonly degraded?: string;
}

/** The word vectors for one query; they are kept with their means while the search lives. */
export function readWords(
  { search, wordVectors }: Pick<MemoryParts, 'search' | 'wordVectors'>,
  namespace: string | undefined,
): WordReading {
  if (wordVectors === undefined) return {};
  try {
    const sense = senses.get(search) ?? new NamespaceSense(wordVectors(), search);
    senses.set(search, sense);
    return { likeness: sense.in(namespace) };
  } catch (error) {
    return {
      degraded: `the word vectors could not be read: ${(error as Error).message}. Install Oka again.`,
    };
  }
}
