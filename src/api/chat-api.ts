import * as z from 'zod';
import type { ModelWait, Notice } from '../chat/index.ts';
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

const conversationItem = z.object({
  name: text,
  paused: flag,
  agents: list(text),
  messages: number,
  createdAt: epochMs,
  lastAt: epochMs.exactOptional(),
  /** The number of unanswered mentions. */
  open: number,
  /** When the first turn that waits for a rate limited or overloaded model tries again. */
  waitsUntil: epochMs.exactOptional(),
});
export type ConversationItem = TypeOf<typeof conversationItem>;

const chatMessageView = z.object({
  id: number,
  at: epochMs,
  /** An agent, or `user`. */
  from: text,
  content: text,
  /** The notification that the message answers. */
  turn: text.exactOptional(),
});
export type ChatMessageView = TypeOf<typeof chatMessageView>;

const notice = schemaOf<Notice>()(
  z.object({
    message: number,
    what: text,
    waiting: z.literal(true).exactOptional(),
    ended: z.literal(true).exactOptional(),
    until: epochMs.exactOptional(),
    retry: text.exactOptional(),
  }),
);

const chatViewAnswer = z.object({ messages: list(chatMessageView), notices: list(notice) });
export type ChatViewAnswer = TypeOf<typeof chatViewAnswer>;

const sendAnswer = z.object({
  id: number,
  notified: list(text),
  /** Mentioned names without an agent. */
  unknown: list(text),
  /** The agents whose names are close to unknown ones. */
  suggestions: list(z.object({ name: text, nearest: text })),
});
export type SendAnswer = TypeOf<typeof sendAnswer>;

const modelWait = schemaOf<ModelWait>()(z.object({ until: epochMs, why: text }));

/** A notification of an agent about a message, and its outcome. */
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
  /** Until when the turn waits for a model that is rate limited or overloaded, and why. */
  waiting: modelWait.exactOptional(),
  run: text.exactOptional(),
  tokens: number,
  costUsd: number,
  /** The notification whose reply mentioned this agent. */
  parent: text.exactOptional(),
  from: text,
});
export type NotificationView = TypeOf<typeof notificationView>;

/** What the turns of a conversation used. Turns that have not ended count with what they have used so far. */
const chatUsageAnswer = z.object({
  turns: list(
    z.object({
      message: number,
      agent: text,
      status: notificationView.shape.status,
      /** Missing until it has started. */
      run: text.exactOptional(),
      tokens: number,
      costUsd: number,
      /** Some of its calls have no price, so it costs more than `costUsd`. */
      unpriced: z.literal(true).exactOptional(),
      /** The price of some of its calls is assumed. */
      assumed: z.literal(true).exactOptional(),
    }),
  ),
  tokens: number,
  costUsd: number,
  /** The limits that apply to the last turn, the conversation and the day. */
  budgets: list(
    z.object({ scope: z.enum(['turn', 'conversation', 'day']), name: text, used: number, limit: number }),
  ),
});
export type ChatUsageAnswer = TypeOf<typeof chatUsageAnswer>;

/** A live event of a conversation; `words` is a part of a reply that is being written, `activity` what its agent does meanwhile. */
const chatHappening = z.union([
  z.object({ kind: z.literal('message'), message: chatMessageView }),
  z.object({ kind: z.literal('notice'), notice: notice }),
  z.object({ kind: z.literal('words'), from: text, text }),
  z.object({
    kind: z.literal('activity'),
    from: text,
    /** The model that is asked. */
    model: text.exactOptional(),
    /** The last line that the running program has printed. */
    output: text.exactOptional(),
  }),
]);
export type ChatHappening = TypeOf<typeof chatHappening>;

const createRequest = z.object({ name: text.exactOptional(), ttlMs: number.exactOptional(), by: text });

const sendRequest = z.object({
  conversation: text,
  text,
  /** Agents to notify without a mention. */
  to: list(text).exactOptional(),
  by: text,
});

const carryRequest = z.object({ from: text, to: text, messages: list(number), by: text });

const viewRequest = z.object({
  conversation: text,
  since: number.exactOptional(),
  /** Only messages with a smaller id: the page before. */
  before: number.exactOptional(),
  /** The number of messages: the next ones after `since`, otherwise the newest. */
  limit: number.exactOptional(),
});

const followRequest = viewRequest.omit({ before: true }).extend({ activities: flag.exactOptional() });

const pauseRequest = z.object({ conversation: text.exactOptional(), cancel: flag.exactOptional(), by: text });

const stopRequest = z.object({ conversation: text, by: text });

const stoppedTurn = z.object({ agent: text, run: text });

const retryRequest = z.object({
  conversation: text,
  /** A message (`12`), a message and an agent (`12/ada`) or the id of a turn. Without it, all that failed. */
  turn: text.exactOptional(),
  by: text,
});

const retriedTurn = z.object({ id: text, message: number, agent: text });

const resumeRequest = z.object({ conversation: text.exactOptional(), by: text });

const cleanupReport = z.object({
  messages: number,
  conversations: list(text),
  /** Dropped mentions of agents that no longer exist. */
  mentions: number,
});

const notifyRequest = z.object({ conv_name: text, message_id: number, depth: number });

const hostRequest = z.object({ agents: list(text).exactOptional() });

/** Conversations with agents. They continue without a terminal. */
export interface ChatApi {
  list(): Promise<readonly ConversationItem[]>;
  /** Starts a conversation; generates a name if none is given. */
  create(request: TypeOf<typeof createRequest>): Promise<ConversationItem>;
  /** Stores a message and notifies the mentioned agents. Does not wait for replies. */
  send(request: TypeOf<typeof sendRequest>): Promise<SendAnswer>;
  /** Copies messages into another conversation, with their authors. Sends no notifications. */
  carry(request: TypeOf<typeof carryRequest>): Promise<void>;
  view(request: TypeOf<typeof viewRequest>): Promise<ChatViewAnswer>;
  /** Messages after `since`, then live events until the signal aborts. Activities only if asked for. */
  follow(
    request: TypeOf<typeof followRequest> & { readonly signal?: AbortSignal },
  ): AsyncIterable<ChatHappening>;
  /** Pauses all conversations if none is given. */
  pause(request: TypeOf<typeof pauseRequest>): Promise<readonly ConversationItem[]>;
  /** Cancels the turns that have started. The conversation continues with the next message. */
  stop(request: TypeOf<typeof stopRequest>): Promise<readonly TypeOf<typeof stoppedTurn>[]>;
  /** Queues dropped turns again, each in a new run. */
  retry(request: TypeOf<typeof retryRequest>): Promise<readonly TypeOf<typeof retriedTurn>[]>;
  resume(request: TypeOf<typeof resumeRequest>): Promise<readonly ConversationItem[]>;
  delete(conversation: string, by: string): Promise<void>;
  /** Erases expired messages and conversations without messages, and drops waiting mentions of agents that are gone. */
  cleanup(by: string): Promise<TypeOf<typeof cleanupReport>>;
  trace(conversation: string): Promise<readonly NotificationView[]>;
  usage(conversation: string): Promise<ChatUsageAnswer>;
  /** Wakes the host of the agents, because an agent was mentioned. */
  notify(request: TypeOf<typeof notifyRequest>): Promise<void>;
  /** Runs agents until the signal aborts: the given ones, or all without their own host. */
  host(
    request: TypeOf<typeof hostRequest> & {
      readonly signal: AbortSignal;
      readonly onTurn?: (turn: {
        readonly notification: string;
        readonly run: string;
        readonly outcome: string;
      }) => void;
      /** Called with the outcome of each attempt to find or run a turn. */
      readonly onOutcome?: (outcome: WorkerOutcome) => void;
    },
  ): Promise<void>;
}

export const chatSchemas: SchemasOf<ChatApi> = {
  list: [[], list(conversationItem)],
  create: [[createRequest], conversationItem],
  send: [[sendRequest], sendAnswer],
  carry: [[carryRequest], nothing],
  view: [[viewRequest], chatViewAnswer],
  follow: [[followRequest], chatHappening],
  pause: [[pauseRequest], list(conversationItem)],
  stop: [[stopRequest], list(stoppedTurn)],
  retry: [[retryRequest], list(retriedTurn)],
  resume: [[resumeRequest], list(conversationItem)],
  delete: [[{ conversation: text }, { by: text }], nothing],
  cleanup: [[{ by: text }], cleanupReport],
  trace: [[{ conversation: text }], list(notificationView)],
  usage: [[{ conversation: text }], chatUsageAnswer],
  notify: [[notifyRequest], nothing],
  host: [[hostRequest], nothing],
};
