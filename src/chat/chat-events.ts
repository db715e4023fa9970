import { eventDrafts } from '../ledger/index.ts';
import type { DropReason } from './types.ts';

/** One who is told of a message, or was not and why. */
export interface Notified {
  agent: string;
  dropped?: DropReason | undefined;
  detail?: string | undefined;
}

/** The data of each event. Members that are undefined are left out when an event is written. */
export interface ChatEventData {
  'conversation.created': { ttlMs: number };
  'message.posted': {
    from: string;
    depth: number;
    /** The message that the chain began with; its own id where it begins one. */
    chain?: string | undefined;
    cause?: string | undefined;
    notifies?: readonly Notified[] | undefined;
    unknown?: readonly string[] | undefined;
    within?: readonly (readonly string[])[] | undefined;
    untrusted?: true | undefined;
  };
  'conversation.paused': { cancel?: true | undefined };
  'conversation.resumed': Record<string, never>;
  'conversation.deleted': Record<string, never>;
  'turn.claimed': { notification: string; run: string; owner: string; attempt: number };
  /** The host lets go of it; whoever claims it next goes on with its run. */
  'turn.released': { notification: string; attempt: number };
  /** Its run waits for a person, and no host has to stay with it. */
  'turn.parked': { notification: string };
  /** It is to be tried again, in a run of its own. */
  'turn.failed': { notification: string; attempt: number; tokens: number; costUsd: number };
  /** What all attempts together have used. */
  'turn.done': { notification: string; tokens: number; costUsd: number };
  'turn.dropped': {
    notification: string;
    reason: DropReason;
    tokens?: number | undefined;
    costUsd?: number | undefined;
  };
}

/** What a person may want erased. */
export interface ChatEventBodies {
  'message.posted': { text: string };
  'turn.failed': { why: string };
  'turn.dropped': { why: string };
}

/** A draft of a chat event, checked against the tables above. */
export const chatEvent = eventDrafts<ChatEventData, ChatEventBodies>();

const MESSAGES = 'chat/';
const TURNS = 'turns/';

/** What was said in a conversation. */
export function chatStream(conversation: string): string {
  return MESSAGES + conversation;
}

/** Who is doing what in a conversation: each change is made on the condition that nothing else has changed. */
export function turnStream(conversation: string): string {
  return TURNS + conversation;
}

/** The conversation that a stream belongs to. */
export function conversationOf(stream: string): string | undefined {
  for (const prefix of [MESSAGES, TURNS]) if (stream.startsWith(prefix)) return stream.slice(prefix.length);
  return undefined;
}

/** Whether a stream holds what was said. */
export function isChatStream(stream: string): boolean {
  return stream.startsWith(MESSAGES);
}
