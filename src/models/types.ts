import type { Digest, Json, JsonObject } from '../kernel/index.ts';

/** `transient` on the error says whether a retry may help. */
export type ModelsErrorCode =
  | 'models.not_configured'
  | 'models.key_rejected'
  | 'models.unknown_model'
  | 'models.unreachable'
  | 'models.silent'
  | 'models.tools_unsupported'
  | 'models.request_failed'
  | 'models.rate_limited'
  | 'models.context_exceeded'
  | 'models.refused'
  | 'models.malformed'
  | 'models.stream_cut'
  | 'models.timed_out'
  | 'models.answer_too_large'
  | 'models.answer_cut'
  | 'models.answer_empty'
  | 'models.script_invalid';

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** For cached input tokens; default: the input price. */
  readonly cachedInput?: number;
}

export interface ModelFacts {
  /** The maximum of request and answer together. */
  readonly contextTokens?: number;
  readonly price?: ModelPrice;
}

/** Facts by model name. */
export type ModelTable = Readonly<Record<string, ModelFacts>>;

/** A tool as described to a model. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A complete tool call of a model. */
export interface ModelToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** The tool calls of an assistant message. */
  readonly toolCalls?: readonly ModelToolCall[];
  /** The call that a tool message answers. */
  readonly toolCallId?: string;
}

/** The purpose of a request. Recorded, never sent to a provider. */
export interface ModelPurpose {
  readonly agent?: string;
  readonly role?: string;
  readonly run?: string;
  /** The longest pause that a provider may request before a retry; the caller waits longer ones itself. */
  readonly maxPauseMs?: number;
}

export interface ModelRequest {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** Requests JSON that matches the schema; the answer then has `json`, unless it calls tools. */
  readonly output?: { readonly name: string; readonly schema: JsonObject };
  readonly temperature?: number;
  /** Nucleus sampling, from 0 to 1. */
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly purpose?: ModelPurpose;
  /** Counts the requests of this call. Neither recorded nor sent. */
  readonly account?: RequestAccount;
}

/** The account of one model call: providers ask it before they send one more request, and report every request. */
export interface RequestAccount {
  /** Whether one more request may be sent: after a failure, or to continue an answer with this much more input. */
  admits(why: 'retry' | 'continuation', moreTokens?: number): Promise<boolean>;
  /** Called right before a request is sent. */
  begin(target: RequestTarget): OpenRequest;
  /** What all requests so far have cost. */
  spend(): { readonly cost_usd?: number };
}

/** Where a request goes, and the price of its tokens. */
export interface RequestTarget {
  readonly provider: string;
  readonly model: string;
  readonly price?: ModelPrice;
  /** The price is not known, but assumed. */
  readonly isAssumed?: boolean;
}

/** A request without an end; the first report of its end counts. */
export interface OpenRequest {
  answered(answer: Pick<ModelAnswer, 'usage' | 'text'>): void;
  /** `received` is the length of the text that came before the failure. */
  failed(error: unknown, received?: number): void;
}

/** Token counts, as far as the provider reports them. */
export interface ModelUsage {
  readonly inputTokens?: number;
  /** Input tokens served from the provider's cache. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
}

/** A failed request before an answer, and what was done about it. */
export interface ModelRecovery {
  readonly kind: 'model_retry' | 'fallback_model' | 'continued' | 'request_failed';
  /** The provider that failed. */
  readonly subject: string;
  /** The number of the retry, from 1. */
  readonly attempt?: number;
  readonly waitMs?: number;
  readonly code: string;
  readonly message: string;
}

/** A finished answer. One that ended otherwise is an error, so its text can never be a result. */
export interface ModelAnswer {
  readonly text: string;
  readonly json?: Json;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
  readonly finish: 'stop' | 'tool_calls';
  readonly model: string;
  readonly provider: string;
  readonly requestDigest: Digest;
  /** Failed requests before this answer. */
  readonly recovered?: readonly ModelRecovery[];
}

/** A piece of a streamed answer: texts, then the whole answer once. */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: ModelAnswer };
