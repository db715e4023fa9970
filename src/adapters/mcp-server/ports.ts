import type { ContentBlock, LoggingLevel, PromptMessage } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../../kernel/index.ts';

/** A tool that clients may call, with its Oka name. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The JSON Schema of the arguments; its root is an object. */
  readonly input: JsonObject;
  readonly output?: JsonObject;
  /** The possible effects of a call. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
}

/** The outcome of a call. Failures and waits are outcomes; an exception is a bug. */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly output: Json;
      /** Content to show instead of the output as text: images, audio, files. */
      readonly content?: readonly ContentBlock[];
      readonly run?: string;
    }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly run?: string }
  | {
      readonly ok: 'waiting';
      /** Why it waits, and what a person can do. */
      readonly message: string;
      readonly run?: string;
      readonly approvalId?: string;
    };

export interface CallContext {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Reports progress; `done` increases. Sent only if the client requested it. */
  progress(done: number, message: string, total?: number): void;
  /** Sent only if the client requested this level. */
  log(level: LoggingLevel, what: Json): void;
}

/** A resource that clients may read. */
export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mediaType: string;
}

/** A family of resources; `template` is an RFC 6570 template. */
export interface OfferedTemplate extends Omit<OfferedResource, 'uri'> {
  readonly template: string;
}

export type ResourceContent = { readonly mediaType: string } & (
  | { readonly text: string }
  | { readonly base64: string }
);

/** A prompt template. */
export interface OfferedPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** A change, for clients that cache what they read. */
export type OfferChange =
  | { readonly what: 'tools' | 'resources' | 'prompts' }
  | { readonly what: 'resource'; readonly uri: string };

/** What to complete: an argument of a prompt, or a variable of a template. */
export interface CompletionRequest {
  readonly of: { readonly prompt: string } | { readonly template: string };
  readonly argument: string;
  readonly begun: string;
}

/** Everything that a server offers to clients. */
export interface McpOffer {
  /** With `recent`, a cached list may be returned if creating it takes time. */
  tools(options?: { readonly recent: boolean }): Promise<readonly OfferedTool[]>;
  /** `name` is the name of an offered tool. */
  call(name: string, input: JsonObject, context: CallContext): Promise<CallOutcome>;
  resources(): Promise<readonly OfferedResource[]>;
  templates(): Promise<readonly OfferedTemplate[]>;
  /** Undefined if there is nothing at this address. */
  read(uri: string): Promise<ResourceContent | undefined>;
  prompts(): Promise<readonly OfferedPrompt[]>;
  /** `name` is the name of an offered prompt; required arguments are present. */
  prompt(name: string, values: Readonly<Record<string, string>>): Promise<readonly PromptMessage[]>;
  complete(request: CompletionRequest): Promise<readonly string[]>;
  /** Subscribes to changes; returns the unsubscribe function. */
  onChange(listener: (change: OfferChange) => void): () => void;
}
