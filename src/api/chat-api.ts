import type { EpochMs } from '../kernel/index.ts';
import type { WorkerOutcome } from './daemon-api.ts';

/** A conversation as lists show it. */
export interface ConversationItem {
  readonly name: string;
  readonly paused: boolean;
  readonly agents: readonly string[];
  readonly messages: number;
  readonly createdAt: EpochMs;
  readonly lastAt?: EpochMs;
  /** Mentions that are not answered yet. */
  readonly open: number;
}

export interface ChatMessageView {
  readonly id: number;
  readonly at: EpochMs;
  /** An agent, or `user` for a person. */
  readonly from: string;
  readonly content: string;
}

/** Something that a reader should know beside what was said. */
export interface ChatNoticeView {
  readonly message: number;
  readonly what: string;
}

export interface ChatViewAnswer {
  readonly messages: readonly ChatMessageView[];
  readonly notices: readonly ChatNoticeView[];
}

export interface SendAnswer {
  readonly id: number;
  readonly notified: readonly string[];
  /** Names that were mentioned and that no agent has. */
  readonly unknown: readonly string[];
}

/** Who was told of what, and what came of it. */
export interface NotificationView {
  readonly id: string;
  readonly message: number;
  readonly agent: string;
  readonly depth: number;
  readonly chain: string;
  readonly status: 'queued' | 'claimed' | 'done' | 'dropped';
  readonly reason?: string;
  readonly detail?: string;
  readonly attempts: number;
  readonly run?: string;
  readonly tokens: number;
  readonly costUsd: number;
  /** The notification whose answer mentioned this agent. */
  readonly parent?: string;
  /** Who mentioned this agent. */
  readonly from: string;
}

/** What happens in a conversation, as it happens. */
export type ChatHappening =
  | { readonly kind: 'message'; readonly message: ChatMessageView }
  | { readonly kind: 'notice'; readonly notice: ChatNoticeView }
  /** A part of an answer that is not stored yet; the message follows when it is whole. */
  | { readonly kind: 'words'; readonly from: string; readonly text: string };

/** Conversations with agents, which go on without a terminal. */
export interface ChatApi {
  list(): Promise<readonly ConversationItem[]>;
  /** Begins a conversation; without a name it gets one. */
  create(request: {
    readonly name?: string;
    readonly ttlMs?: number;
    readonly by: string;
  }): Promise<ConversationItem>;
  /** Stores a message and tells whom it mentions; waits for nobody. */
  send(request: {
    readonly conversation: string;
    readonly text: string;
    /** Agents that are told without being mentioned. */
    readonly to?: readonly string[];
    readonly by: string;
  }): Promise<SendAnswer>;
  view(request: {
    readonly conversation: string;
    readonly since?: number;
    readonly limit?: number;
  }): Promise<ChatViewAnswer>;
  /** What was said after `since`, and then what is said, until the signal aborts. */
  follow(request: {
    readonly conversation: string;
    readonly since?: number;
    readonly limit?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<ChatHappening>;
  /** Without a conversation, all. */
  pause(request: {
    readonly conversation?: string;
    readonly cancel?: boolean;
    readonly by: string;
  }): Promise<readonly ConversationItem[]>;
  resume(request: {
    readonly conversation?: string;
    readonly by: string;
  }): Promise<readonly ConversationItem[]>;
  delete(conversation: string, by: string): Promise<void>;
  cleanup(by: string): Promise<{ readonly messages: number; readonly conversations: readonly string[] }>;
  trace(conversation: string): Promise<readonly NotificationView[]>;
  /** Somebody has been mentioned: whoever hosts agents here looks at once. */
  notify(request: {
    readonly conv_name: string;
    readonly message_id: number;
    readonly depth: number;
  }): Promise<void>;
  /** Answers for agents until the signal aborts; without names, for all that have no host of their own. */
  host(request: {
    readonly agents?: readonly string[];
    readonly signal: AbortSignal;
    readonly onTurn?: (turn: {
      readonly notification: string;
      readonly run: string;
      readonly outcome: string;
    }) => void;
    /** Hears how looking for turns and working on them goes. */
    readonly onOutcome?: (outcome: WorkerOutcome) => void;
  }): Promise<void>;
}
