import type { ModelProvider } from '../../models/index.ts';
import type { Embedder } from '../../retrieval/index.ts';

const TIMEOUT_MS = 30_000;

/** An embedder on a model provider. `name` identifies provider and model, so that vectors of others are never compared. */
export function providerEmbedder(
  provider: Pick<ModelProvider, 'embed'>,
  { name, dimensions }: { readonly name: string; readonly dimensions: number },
): Embedder | undefined {
  const { embed } = provider;
  if (embed === undefined) return undefined;
  return {
    name,
    dimensions,
    embed: async (texts) => {
      const vectors = await embed.call(provider, texts, AbortSignal.timeout(TIMEOUT_MS));
      return vectors.map((vector) => Float32Array.from(vector));
    },
  };
}
