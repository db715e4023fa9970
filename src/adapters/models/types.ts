import type { EmbeddingModelV3, LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { JsonObject } from '../../kernel/index.ts';
import type { ModelPrice, ModelRequest, ProviderId } from '../../models/index.ts';

export type RemoteProviderName = ProviderId;

/** A model that answers from a file. */
interface ScriptedEntry {
  readonly provider: 'scripted';
  readonly script: string;
}

/** A model of a remote provider, as configured. */
export interface RemoteEntry {
  readonly provider: RemoteProviderName;
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: { readonly env: string } | { readonly vault: string };
  readonly fallback?: readonly string[];
  readonly price?: ModelPrice;
  /** No price is known, so `price` is assumed. */
  readonly isAssumed?: boolean;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly embeddingModel?: string;
  /** How long the provider may be silent. */
  readonly timeoutMs?: number;
  /** How long a call may take. */
  readonly totalTimeoutMs?: number;
  /** How large an answer may be. */
  readonly maxAnswerBytes?: number;
  /** What a test of the model found; a missing field means that it can. */
  readonly streaming?: boolean;
  readonly tools?: boolean;
  readonly json?: boolean;
  readonly from: 'user' | 'project';
}

export type ModelEntry = ScriptedEntry | RemoteEntry;

/** Addresses and keys of providers from the environment. */
export interface ProviderEnvironment {
  readonly openaiKey?: string;
  readonly openaiBaseUrl?: string;
  readonly anthropicKey?: string;
  readonly anthropicBaseUrl?: string;
  readonly ollamaHost?: string;
  get(name: string): string | undefined;
}

/** Everything needed to call one model. */
export interface ModelSettings {
  readonly entry: RemoteEntry;
  readonly baseUrl: string;
  readonly key?: ModelKey;
}

/** A key and its source, for messages that must not show it. */
export interface ModelKey {
  readonly value: string;
  readonly place: string;
}

export interface Connection {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

/** One provider's models from its SDK package, and its peculiarities. */
export interface SdkModels {
  language(model: string): LanguageModelV3;
  embedding?(model: string): EmbeddingModelV3;
  /** Whether the provider enforces this schema itself; otherwise the prompt contains it. */
  enforcesSchema(schema: JsonObject, request: ModelRequest): boolean;
  /** Options specific to this provider. */
  options(request: ModelRequest, entry: RemoteEntry): SharedV3ProviderOptions;
}
