import type { EmbeddingModelV3, JSONObject, LanguageModelV3 } from '@ai-sdk/provider';
import { createOllama } from 'ollama-ai-provider-v2';
import type { ModelRequest } from '../../models/index.ts';
import type { Connection, RemoteEntry, SdkModels } from './types.ts';

/** Ollama's own interface. */
export function ollamaModels({ baseUrl, key, fetch }: Connection): SdkModels {
  const provider = createOllama({
    baseURL: baseUrl,
    fetch,
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
  });
  return {
    language: (model) => provider.chat(model) as LanguageModelV3,
    embedding: (model) => provider.embeddingModel(model) as EmbeddingModelV3,
    // Held to a schema, a model could not ask for tools.
    holdsToSchema: (_, { tools = [] }) => tools.length === 0,
    options: (request, entry) => ({ ollama: { options: optionsOf(request, entry) } }),
  };
}

/** Ollama takes these under names of its own; a long prompt is cut silently unless the window is told. */
function optionsOf({ temperature, seed, maxOutputTokens }: ModelRequest, entry: RemoteEntry): JSONObject {
  const most = maxOutputTokens ?? entry.maxOutputTokens;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(most === undefined ? {} : { num_predict: most }),
    ...(entry.contextTokens === undefined ? {} : { num_ctx: entry.contextTokens }),
  };
}
