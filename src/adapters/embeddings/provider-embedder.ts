import type { ModelProvider } from '../../models/index.ts';
import type { Embedder } from '../../retrieval/index.ts';

const GIVES_UP_AFTER_MS = 30_000;

/** An embedder that asks a model provider. `name` names provider and model, so that vectors of others are never compared. */
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
      const vectors = await embed.call(provider, texts, AbortSignal.timeout(GIVES_UP_AFTER_MS));
      return vectors.map((vector) => Float32Array.from(vector));
    },
  };
}
