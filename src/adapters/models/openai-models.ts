import { createOpenAI } from '@ai-sdk/openai';
import type { Connection, SdkModels } from './types.ts';

/** OpenAI over its chat interface, which is the one that other servers at `OPENAI_BASE_URL` speak too. */
export function openaiModels({ baseUrl, key = '', fetch }: Connection): SdkModels {
  const provider = createOpenAI({ baseURL: baseUrl, apiKey: key, fetch });
  return {
    language: (model) => provider.chat(model),
    embedding: (model) => provider.embeddingModel(model),
    holdsToSchema: ({ type }) => type === 'object',
    // The strict mode refuses schemas with optional members; the answer is checked here in any case.
    options: () => ({ openai: { strictJsonSchema: false } }),
  };
}
