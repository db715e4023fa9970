import { createOpenAI } from '@ai-sdk/openai';
import type { Connection, SdkModels } from './types.ts';

/** OpenAI's chat API, which other servers at `OPENAI_BASE_URL` support too. */
export function openaiModels({ baseUrl, key = '', fetch }: Connection): SdkModels {
  const provider = createOpenAI({ baseURL: baseUrl, apiKey: key, fetch });
  return {
    language: (model) => provider.chat(model),
    embedding: (model) => provider.embeddingModel(model),
    enforcesSchema: ({ type }) => type === 'object',
    // Strict mode rejects schemas with optional members; the answer is validated here anyway.
    options: () => ({ openai: { strictJsonSchema: false } }),
  };
}
