import { providerEmbedder } from '../../adapters/embeddings/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { ModelProvider, ModelsErrorCode } from '../../models/index.ts';
import type { Embedder } from '../../retrieval/index.ts';

/** The configured embedder. Its provider is resolved on first use. */
export function configuredEmbedder(
  { model, dimensions }: { readonly model: string; readonly dimensions: number },
  find: (model: string) => Promise<{ readonly provider: ModelProvider }>,
): Embedder {
  let opened: Promise<Embedder> | undefined;
  const open = async (): Promise<Embedder> => {
    const found = providerEmbedder((await find(model)).provider, { name: model, dimensions });
    if (found) return found;
    const code: ModelsErrorCode = 'models.not_configured';
    throw new OkaError(
      code,
      `the model "${model}" gives no embeddings; name another in memory.embedder, or none.`,
      {
        data: { model },
      },
    );
  };
  return {
    name: model,
    dimensions,
    embed: async (texts) => {
      opened ??= open();
      return (await opened).embed(texts);
    },
  };
}
