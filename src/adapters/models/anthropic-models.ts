import { createAnthropic } from '@ai-sdk/anthropic';
import type { Connection, SdkModels } from './types.ts';

/** Anthropic's Messages API. It has no embeddings. */
export function anthropicModels({ baseUrl, key = '', fetch }: Connection): SdkModels {
  const provider = createAnthropic({ baseURL: baseUrl, apiKey: key, fetch });
  return {
    language: (model) => provider.messages(model),
    enforcesSchema: ({ type }) => type === 'object',
    options: () => ({}),
  };
}
