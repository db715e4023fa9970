import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Connection, SdkModels } from './types.ts';

/** Any server with OpenAI's chat API, such as LM Studio, vLLM or llama.cpp. */
export function openaiCompatibleModels({ baseUrl, key, fetch }: Connection): SdkModels {
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    ...(key === undefined ? {} : { apiKey: key }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return {
    language: (model) => provider.chatModel(model),
    embedding: (model) => provider.embeddingModel(model),
    enforcesSchema: ({ type }) => type === 'object',
    options: () => ({ openaiCompatible: { strictJsonSchema: false } }),
  };
}
