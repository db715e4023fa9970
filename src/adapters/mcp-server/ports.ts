import type { ContentBlock, LoggingLevel, PromptMessage } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../../kernel/index.ts';

/** A tool that clients may call, under the name that Oka knows it by. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The JSON Schema of the arguments; its root is an object. */
  readonly input: JsonObject;
  readonly output?: JsonObject;
  /** What a call may do at the most. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
}

/** What a call came to. Failures and waits are answers; an exception is a bug. */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly output: Json;
      /** What to show instead of the output as text: pictures, sound, files. */
      readonly content?: readonly ContentBlock[];
      readonly run?: string;
    }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly run?: string }
  | {
      readonly ok: 'waiting';
      /** Why it does not go on, and what a person can do about it. */
      readonly message: string;
      readonly run?: string;
      readonly approvalId?: string;
    };

/** What a call has at hand. */
export interface CallContext {
  /** Aborted when the client has given up on the call. */
  readonly signal: AbortSignal;
  /** Tells the client how far the call is; `done` grows from one to the next. Heard only if the client asked for it. */
  progress(done: number, message: string, total?: number): void;
  /** Heard only if the client asked for this level. */
  log(level: LoggingLevel, what: Json): void;
}

/** Something that clients may read. */
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

/** Words that a person can start from. */
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

/** What has changed, for clients that keep what they once read. */
export type OfferChange =
  | { readonly what: 'tools' | 'resources' | 'prompts' }
  | { readonly what: 'resource'; readonly uri: string };

/** What a completion is asked for: an argument of a prompt, or a variable of a template. */
export interface CompletionRequest {
  readonly of: { readonly prompt: string } | { readonly template: string };
  readonly argument: string;
  readonly begun: string;
}

/** All that a server offers to clients. */
export interface McpOffer {
  /** With `recent` they may be as they were listed last, where making the list takes time. */
  tools(options?: { readonly recent: boolean }): Promise<readonly OfferedTool[]>;
  /** `name` is that of an offered tool. */
  call(name: string, input: JsonObject, context: CallContext): Promise<CallOutcome>;
  resources(): Promise<readonly OfferedResource[]>;
  templates(): Promise<readonly OfferedTemplate[]>;
  /** Undefined when there is nothing under this address. */
  read(uri: string): Promise<ResourceContent | undefined>;
  prompts(): Promise<readonly OfferedPrompt[]>;
  /** `name` is that of an offered prompt, and the required arguments are there. */
  prompt(name: string, values: Readonly<Record<string, string>>): Promise<readonly PromptMessage[]>;
  complete(request: CompletionRequest): Promise<readonly string[]>;
  /** Calls `listener` at each change until the answer is called. */
  onChange(listener: (change: OfferChange) => void): () => void;
}
