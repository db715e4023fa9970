import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Connection, SdkModels } from './types.ts';

/** Any server that speaks OpenAI's chat interface, such as LM Studio, vLLM or llama.cpp. */
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
    holdsToSchema: ({ type }) => type === 'object',
    options: () => ({ openaiCompatible: { strictJsonSchema: false } }),
  };
}
