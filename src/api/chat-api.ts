import * as z from 'zod';
import type { Notice } from '../chat/index.ts';
import type { WorkerOutcome } from './daemon-api.ts';
import {
  epochMs,
  flag,
  list,
  nothing,
  number,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

/** A conversation as lists show it. */
const conversationItem = z.object({
  name: text,
  paused: flag,
  agents: list(text),
  messages: number,
  createdAt: epochMs,
  lastAt: epochMs.exactOptional(),
  /** Mentions that are not answered yet. */
  open: number,
});
export type ConversationItem = TypeOf<typeof conversationItem>;

const chatMessageView = z.object({
  id: number,
  at: epochMs,
  /** An agent, or `user` for a person. */
  from: text,
  content: text,
});
export type ChatMessageView = TypeOf<typeof chatMessageView>;

const notice = schemaOf<Notice>()(
  z.object({ message: number, what: text, waiting: z.literal(true).exactOptional() }),
);

const chatViewAnswer = z.object({ messages: list(chatMessageView), notices: list(notice) });
export type ChatViewAnswer = TypeOf<typeof chatViewAnswer>;

const sendAnswer = z.object({
  id: number,
  notified: list(text),
  /** Names that were mentioned and that no agent has. */
  unknown: list(text),
});
export type SendAnswer = TypeOf<typeof sendAnswer>;

/** Who was told of what, and what came of it. */
const notificationView = z.object({
  id: text,
  message: number,
  agent: text,
  depth: number,
  chain: text,
  status: z.enum(['queued', 'claimed', 'done', 'dropped']),
  reason: text.exactOptional(),
  detail: text.exactOptional(),
  attempts: number,
  run: text.exactOptional(),
  tokens: number,
  costUsd: number,
  /** The notification whose answer mentioned this agent. */
  parent: text.exactOptional(),
  /** Who mentioned this agent. */
  from: text,
});
export type NotificationView = TypeOf<typeof notificationView>;

/** What happens in a conversation, as it happens. */
const chatHappening = z.union([
  z.object({ kind: z.literal('message'), message: chatMessageView }),
  z.object({ kind: z.literal('notice'), notice: notice }),
  z.object({ kind: z.literal('words'), from: text, text }),
]);
export type ChatHappening = TypeOf<typeof chatHappening>;

const createRequest = z.object({ name: text.exactOptional(), ttlMs: number.exactOptional(), by: text });

const sendRequest = z.object({
  conversation: text,
  text,
  /** Agents that are told without being mentioned. */
  to: list(text).exactOptional(),
  by: text,
});

const viewRequest = z.object({
  conversation: text,
  since: number.exactOptional(),
  limit: number.exactOptional(),
});

const followRequest = z.object({
  conversation: text,
  since: number.exactOptional(),
  limit: number.exactOptional(),
});

const pauseRequest = z.object({ conversation: text.exactOptional(), cancel: flag.exactOptional(), by: text });

const resumeRequest = z.object({ conversation: text.exactOptional(), by: text });

const notifyRequest = z.object({ conv_name: text, message_id: number, depth: number });

const hostRequest = z.object({ agents: list(text).exactOptional() });

/** Conversations with agents, which go on without a terminal. */
export interface ChatApi {
  list(): Promise<readonly ConversationItem[]>;
  /** Begins a conversation; without a name it gets one. */
  create(request: TypeOf<typeof createRequest>): Promise<ConversationItem>;
  /** Stores a message and tells whom it mentions; waits for nobody. */
  send(request: TypeOf<typeof sendRequest>): Promise<SendAnswer>;
  view(request: TypeOf<typeof viewRequest>): Promise<ChatViewAnswer>;
  /** What was said after `since`, and then what is said, until the signal aborts. */
  follow(
    request: TypeOf<typeof followRequest> & {
      readonly signal?: AbortSignal;
    },
  ): AsyncIterable<ChatHappening>;
  /** Without a conversation, all. */
  pause(request: TypeOf<typeof pauseRequest>): Promise<readonly ConversationItem[]>;
  resume(request: TypeOf<typeof resumeRequest>): Promise<readonly ConversationItem[]>;
  delete(conversation: string, by: string): Promise<void>;
  cleanup(by: string): Promise<{ readonly messages: number; readonly conversations: readonly string[] }>;
  trace(conversation: string): Promise<readonly NotificationView[]>;
  /** Somebody has been mentioned: whoever hosts agents here looks at once. */
  notify(request: TypeOf<typeof notifyRequest>): Promise<void>;
  /** Answers for agents until the signal aborts; without names, for all that have no host of their own. */
  host(
    request: TypeOf<typeof hostRequest> & {
      readonly signal: AbortSignal;
      readonly onTurn?: (turn: {
        readonly notification: string;
        readonly run: string;
        readonly outcome: string;
      }) => void;
      /** Hears how looking for turns and working on them goes. */
      readonly onOutcome?: (outcome: WorkerOutcome) => void;
    },
  ): Promise<void>;
}

export const chatSchemas: SchemasOf<ChatApi> = {
  list: [[], list(conversationItem)],
  create: [[createRequest], conversationItem],
  send: [[sendRequest], sendAnswer],
  view: [[viewRequest], chatViewAnswer],
  follow: [[followRequest], chatHappening],
  pause: [[pauseRequest], list(conversationItem)],
  resume: [[resumeRequest], list(conversationItem)],
  delete: [[{ conversation: text }, { by: text }], nothing],
  cleanup: [[{ by: text }], z.object({ messages: number, conversations: list(text) })],
  trace: [[{ conversation: text }], list(notificationView)],
  notify: [[notifyRequest], nothing],
  host: [[hostRequest], nothing],
};
