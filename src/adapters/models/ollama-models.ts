import type { EmbeddingModelV3, JSONObject, LanguageModelV3 } from '@ai-sdk/provider';
import { createOllama } from 'ollama-ai-provider-v2';
import type { ModelRequest } from '../../models/index.ts';
import type { Connection, RemoteEntry, SdkModels } from './types.ts';

/** Ollama's native API. */
export function ollamaModels({ baseUrl, key, fetch }: Connection): SdkModels {
  const provider = createOllama({
    baseURL: baseUrl,
    fetch,
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
  });
  return {
    language: (model) => provider.chat(model) as LanguageModelV3,
    embedding: (model) => provider.embeddingModel(model) as EmbeddingModelV3,
    // A model restricted to a schema could not call tools.
    enforcesSchema: (_, { tools = [] }) => tools.length === 0,
    options: (request, entry) => ({ ollama: { options: optionsOf(request, entry) } }),
  };
}

/** Ollama's own option names; without num_ctx it silently truncates a long prompt. */
function optionsOf({ temperature, seed, maxOutputTokens }: ModelRequest, entry: RemoteEntry): JSONObject {
  const limit = maxOutputTokens ?? entry.maxOutputTokens;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(limit === undefined ? {} : { num_predict: limit }),
    ...(entry.contextTokens === undefined ? {} : { num_ctx: entry.contextTokens }),
  };
}
