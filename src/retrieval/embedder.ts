import { OkaError } from '../kernel/index.ts';
import type { RetrievalErrorCode } from './errors.ts';

/** Turns texts into vectors, one each and in their order: a provider's model, or a local one. */
export interface Embedder {
  /** Names the provider, the model and its version; vectors of different names are never compared. */
  readonly name: string;
  readonly dimensions: number;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** What is stored beside vectors, to tell whether an embedder made them; if it did not, the store indexes anew. */
export function embedderId({ name, dimensions }: Pick<Embedder, 'name' | 'dimensions'>): string {
  return `${name}#${dimensions}`;
}

/** Embeds texts and refuses an answer that does not fit them. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  if (texts.length === 0) return [];
  const vectors = await embedder.embed(texts);
  const misfit = vectors.find(({ length }) => length !== embedder.dimensions);
  if (vectors.length === texts.length && !misfit) return vectors;
  throw new OkaError<RetrievalErrorCode>(
    'retrieval.embedding_mismatch',
    `The embedder ${embedderId(embedder)} was given ${texts.length} texts and answered with ${vectors.length} vectors${
      misfit ? `, one of them of ${misfit.length} dimensions` : ''
    }. Check its model and dimensions in the configuration.`,
    { data: { embedder: embedderId(embedder), texts: texts.length, vectors: vectors.length } },
  );
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis += 1) sum += (one[axis] as number) * (other[axis] ?? 0);
  return sum;
}

/** How alike two embeddings are, from 0 to 1. */
export function embeddingLikeness(one: Float32Array, other: Float32Array): number {
  const lengths = Math.sqrt(dot(one, one) * dot(other, other));
  return lengths === 0 ? 0 : Math.min(Math.max(dot(one, other) / lengths, 0), 1);
}

const FOLDED = 256;

/** A vector of at most 256 dimensions whose products with others like it are about those of the long ones. */
export function foldVector(vector: Float32Array): Float32Array {
  if (vector.length <= FOLDED) return vector;
  const folded = new Float32Array(FOLDED);
  let state = 1;
  for (const value of vector) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    const axis = (state >>> 1) % FOLDED;
    folded[axis] = (folded[axis] as number) + ((state & 1) === 0 ? value : -value);
  }
  return folded;
}

/** A vector in one byte a dimension; its length is lost. */
export function packVector(vector: Float32Array): Uint8Array {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round((value / most) * 127)).buffer);
}

/** The direction of what `packVector` packed. */
export function unpackVector(packed: Uint8Array): Float32Array {
  return Float32Array.from(new Int8Array(packed.buffer, packed.byteOffset, packed.length));
}
