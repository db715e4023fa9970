import { OkaError } from '../kernel/index.ts';
import type { RetrievalErrorCode } from './errors.ts';
import { dot } from './word-vectors.ts';

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

/** How alike two embeddings are, from 0 to 1. */
export function embeddingLikeness(one: Float32Array, other: Float32Array): number {
  const lengths = Math.sqrt(dot(one, one) * dot(other, other));
  return lengths === 0 ? 0 : Math.min(Math.max(dot(one, other) / lengths, 0), 1);
}
