import type { EmbeddingModelV3, LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { JsonObject } from '../../kernel/index.ts';
import type { ModelPrice, ModelRequest } from '../../models/index.ts';

/** Providers that are reached over the network, or on this machine. */
export type RemoteProviderName = 'openai' | 'anthropic' | 'ollama' | 'openai-compatible';

/** A model that answers from a file. */
interface ScriptedEntry {
  readonly provider: 'scripted';
  readonly script: string;
}

/** A model of a remote provider, as the configuration names it. */
export interface RemoteEntry {
  readonly provider: RemoteProviderName;
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: { readonly env: string } | { readonly vault: string };
  readonly fallback?: readonly string[];
  readonly price?: ModelPrice;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly embeddingModel?: string;
  readonly timeoutMs?: number;
  readonly from: 'user' | 'project';
}

export type ModelEntry = ScriptedEntry | RemoteEntry;

/** Where the environment says that providers are, and the keys for them. */
export interface ProviderEnvironment {
  readonly openaiKey?: string;
  readonly openaiBaseUrl?: string;
  readonly anthropicKey?: string;
  readonly anthropicBaseUrl?: string;
  readonly ollamaHost?: string;
  get(name: string): string | undefined;
}

/** Everything that is needed to ask one model. */
export interface ModelSettings {
  readonly entry: RemoteEntry;
  readonly baseUrl: string;
  readonly key?: ModelKey;
}

/** A key and where it was found, for messages that must not show it. */
export interface ModelKey {
  readonly value: string;
  readonly place: string;
}

/** How a provider is reached. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

/** One provider's models, as its package gives them, and what is particular about it. */
export interface SdkModels {
  language(model: string): LanguageModelV3;
  embedding?(model: string): EmbeddingModelV3;
  /** Whether the provider itself holds an answer to this schema; else the prompt asks for it. */
  holdsToSchema(schema: JsonObject, request: ModelRequest): boolean;
  /** What only this provider understands. */
  options(request: ModelRequest, entry: RemoteEntry): SharedV3ProviderOptions;
}
