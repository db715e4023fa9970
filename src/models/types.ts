import type { Digest, Json, JsonObject } from '../kernel/index.ts';

/** Codes that models fail with; `transient` on the error says whether asking again may help. */
export type ModelsErrorCode =
  | 'models.not_configured'
  | 'models.request_failed'
  | 'models.rate_limited'
  | 'models.context_exceeded'
  | 'models.refused'
  | 'models.malformed'
  | 'models.stream_cut'
  | 'models.script_invalid';

/** A tool as a model is told about it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A call that a model asks for; it is always whole. */
export interface ModelToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

/** One message of the conversation that a model is shown. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** What the assistant asked for in this message. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** Which call a tool's message answers. */
  readonly toolCallId?: string;
}

/** What the answer is for. It is recorded, and never sent to a provider. */
export interface ModelPurpose {
  readonly agent?: string;
  readonly role?: string;
  readonly run?: string;
}

/** What a model is asked. */
export interface ModelRequest {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** Asks for JSON that fits the schema; the answer then carries `json`, unless it asks for tools. */
  readonly output?: { readonly name: string; readonly schema: JsonObject };
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly purpose?: ModelPurpose;
}

/** How many tokens a call took, as far as the provider says. */
export interface ModelUsage {
  readonly inputTokens?: number;
  /** How many of the input tokens came from the provider's cache. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
}

/** What a model answered, whole. */
export interface ModelAnswer {
  readonly text: string;
  readonly json?: Json;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
  /** In US dollars; `unknown` where no price is known. */
  readonly cost?: number | 'unknown';
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'refused';
  readonly model: string;
  readonly provider: string;
  readonly requestDigest: Digest;
}

/** A piece of a streamed answer: texts as they come, then the whole answer once, last. */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: ModelAnswer };
