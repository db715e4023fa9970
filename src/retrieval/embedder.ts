import { OkaError } from '../kernel/index.ts';

/** Converts texts to vectors, one each and in their order: a provider's model or a local one. */
export interface Embedder {
  /** Names the provider, the model and its version. Vectors of different embedders are never compared. */
  readonly name: string;
  readonly dimensions: number;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Stored with vectors. If it differs, the store indexes all texts again. */
export function embedderId({ name, dimensions }: Pick<Embedder, 'name' | 'dimensions'>): string {
  return `${name}#${dimensions}`;
}

/** Embeds texts; rejects a result with missing vectors or wrong dimensions. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  if (texts.length === 0) return [];
  const vectors = await embedder.embed(texts);
  const invalid = vectors.find(({ length }) => length !== embedder.dimensions);
  if (vectors.length === texts.length && !invalid) return vectors;
  throw new OkaError<RetrievalErrorCode>(
    'retrieval.embedding_mismatch',
    `The embedder ${embedderId(embedder)} returned ${vectors.length} vectors for ${texts.length} texts${
      invalid ? `, one of them of ${invalid.length} dimensions` : ''
    }. Check its model and dimensions in the configuration.`,
    { data: { embedder: embedderId(embedder), texts: texts.length, vectors: vectors.length } },
  );
}

const MAX_DIMENSIONS = 256;

/** Reduces a vector to at most 256 dimensions; products of reduced vectors are about those of the originals. */
export function foldVector(vector: Float32Array): Float32Array {
  if (vector.length <= MAX_DIMENSIONS) return vector;
  const folded = new Float32Array(MAX_DIMENSIONS);
  let state = 1;
  for (const value of vector) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    const axis = (state >>> 1) % MAX_DIMENSIONS;
    folded[axis] = (folded[axis] as number) + ((state & 1) === 0 ? value : -value);
  }
  return folded;
}

/** Packs a vector into one byte per dimension; its length is lost. */
export function packVector(vector: Float32Array): Uint8Array {
  const max = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round((value / max) * 127)).buffer);
}

/** The direction of a packed vector. */
export function unpackVector(packed: Uint8Array): Float32Array {
  return Float32Array.from(new Int8Array(packed.buffer, packed.byteOffset, packed.length));
}

type RetrievalErrorCode = 'retrieval.embedding_mismatch';
