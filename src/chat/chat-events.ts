import { eventDrafts } from '../ledger/index.ts';
import type { DropReason } from './types.ts';

/** An agent that is notified of a message, or the reason why it is not. */
export interface Notified {
  agent: string;
  dropped?: DropReason | undefined;
  detail?: string | undefined;
}

/** The data of each event. Undefined members are omitted when an event is written. */
export interface ChatEventData {
  'conversation.created': { ttlMs: number };
  'message.posted': {
    from: string;
    depth: number;
    /** The first message of the chain. Omitted if this message starts one. */
    chain?: string | undefined;
    cause?: string | undefined;
    notifies?: readonly Notified[] | undefined;
    unknown?: readonly string[] | undefined;
    within?: readonly (readonly string[])[] | undefined;
    untrusted?: true | undefined;
    /** The run that wrote it had read untrusted content. */
    tainted?: true | undefined;
  };
  'conversation.paused': { cancel?: true | undefined };
  'conversation.resumed': Record<string, never>;
  'conversation.deleted': Record<string, never>;
  'turn.claimed': { notification: string; run: string; owner: string; attempt: number };
  /** The host released the turn. The next owner continues its run. */
  'turn.released': { notification: string; attempt: number };
  /** The run waits for a person, or until a time for a model that is busy; no host holds it. */
  'turn.parked': { notification: string; until?: number | undefined; why?: string | undefined };
  /** A person retries a dropped turn in a new run. */
  'turn.requeued': { notification: string };
  /** The turn is retried in a new run. */
  'turn.failed': { notification: string; attempt: number; tokens: number; costUsd: number };
  /** Usage of all attempts together. */
  'turn.done': { notification: string; tokens: number; costUsd: number };
  'turn.dropped': {
    notification: string;
    reason: DropReason;
    tokens?: number | undefined;
    costUsd?: number | undefined;
  };
}

/** Event content that a person can erase. */
export interface ChatEventBodies {
  'message.posted': { text: string };
  'turn.failed': { why: string };
  'turn.dropped': { why: string };
}

/** A draft of a chat event, checked against the tables above. */
export const chatEvent = eventDrafts<ChatEventData, ChatEventBodies>();

const MESSAGES = 'chat/';
const TURNS = 'turns/';

/** The stream of a conversation's messages. */
export function chatStream(conversation: string): string {
  return MESSAGES + conversation;
}

/** The stream of a conversation's turns. Writers append only if nobody else has appended since they read it. */
export function turnStream(conversation: string): string {
  return TURNS + conversation;
}

/** The conversation that a stream belongs to. */
export function conversationOf(stream: string): string | undefined {
  for (const prefix of [MESSAGES, TURNS]) if (stream.startsWith(prefix)) return stream.slice(prefix.length);
  return undefined;
}

/** Whether a stream holds messages. */
export function isChatStream(stream: string): boolean {
  return stream.startsWith(MESSAGES);
}
