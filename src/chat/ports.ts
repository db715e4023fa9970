import type { EpochMs } from '../kernel/index.ts';
import type { EventAddress } from '../ledger/index.ts';
import type { Conversation, Message, Notification, NotificationStatus } from './types.ts';

/** A conversation as lists show it. */
export interface ConversationSummary extends Conversation {
  readonly messages: number;
  readonly lastAt?: EpochMs;
  readonly open: number;
}

/** Which messages are wanted. */
export interface MessageFilter {
  readonly conversation: string;
  /** Only what came after this one. */
  readonly since?: number;
  /** Only up to this one. */
  readonly upTo?: number;
  /** The newest ones when there are more. */
  readonly limit?: number;
  /** Only what was said after this moment. */
  readonly after: EpochMs;
}

/** What a chain has used so far. */
export interface ChainUse {
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Finds what `chatProjection` folds. */
export interface ChatRecords {
  conversation(name: string): Promise<Conversation | undefined>;
  /** The ones that were spoken in last come first. */
  conversations(now: EpochMs): Promise<readonly ConversationSummary[]>;
  /** In order. */
  messages(filter: MessageFilter): Promise<readonly Message[]>;
  message(conversation: string, id: number): Promise<Message | undefined>;
  /** Messages that nobody sees any more and that are still there. */
  expiredMessages(conversation: string, before: EpochMs): Promise<readonly Message[]>;
  notification(id: string): Promise<Notification | undefined>;
  /** All of a conversation, in the order of their messages. */
  notifications(conversation: string): Promise<readonly Notification[]>;
  /** What was dropped or waits for a person, about messages from the first to the last. */
  unanswered(conversation: string, first: number, last: number): Promise<readonly Notification[]>;
  /** What is neither done nor dropped in a conversation. */
  openIn(conversation: string): Promise<readonly Notification[]>;
  /**
   * What can be taken up for one of these agents, in each conversation the oldest that is queued, where the conversation
   * goes on; and everything that is claimed.
   */
  open(agents: readonly string[]): Promise<readonly Notification[]>;
  /** What an agent has said because of a notification. */
  answersTo(notification: string): Promise<readonly Message[]>;
  /** Messages that came when their conversation was gone already. */
  strays(): Promise<readonly Message[]>;
  /** Who was told of a message. */
  told(conversation: string, message: number): Promise<readonly Notification[]>;
  /** What agents have said on the way to a message, itself included, the newest first. */
  lineage(message: Pick<Message, 'conversation' | 'id'>): Promise<readonly Pick<Message, 'from' | 'text'>[]>;
  /** The notification that a run answers. */
  ofRun(run: string): Promise<Notification | undefined>;
  /** What an agent has taken up in a conversation. */
  claimed(conversation: string, agent: string): Promise<Notification | undefined>;
  chainUse(chain: string): Promise<ChainUse>;
  counts(): Promise<Readonly<Record<NotificationStatus, number>>>;
}

/** Knows who there is. */
export interface ChatAgents {
  names(): Promise<ReadonlySet<string>>;
  /** The tools that an agent may use, as patterns; undefined for all. */
  toolsOf(agent: string): Promise<readonly string[] | undefined>;
}

/** Takes content out of the ledger for good. */
export interface ChatErasure {
  /** The events of these streams that hold content. */
  bodiesOf(streams: readonly string[]): Promise<readonly EventAddress[]>;
  /** The streams of a run and of all runs below it. */
  streamsOfRun(run: string): Promise<readonly string[]>;
  /** Refuses, before anything is erased, where it cannot be done now. */
  erase(events: readonly EventAddress[], by: string, reason: string): Promise<void>;
  /** Ends runs that still go on; what has ended is left as it is. */
  stop(runs: readonly string[], by: string, reason: string): Promise<void>;
}
