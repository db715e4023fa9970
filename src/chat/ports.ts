import type { Clock, EpochMs, Ids } from '../kernel/index.ts';
import type { EventAddress, EventStore } from '../ledger/index.ts';
import type { ChainLimits, Conversation, Message, Notification, NotificationStatus } from './types.ts';

export interface ConversationSummary extends Conversation {
  readonly messages: number;
  readonly lastAt?: EpochMs;
  readonly open: number;
  /** When the first turn that waits for its model tries again. */
  readonly waitsUntil?: EpochMs;
}

export interface MessageFilter {
  readonly conversation: string;
  /** Only messages with a higher id. */
  readonly since?: number;
  /** Only messages up to this id. */
  readonly upTo?: number;
  /** Keeps the next messages after `since`; without it, the newest. */
  readonly limit?: number;
  /** Only messages posted after this time. */
  readonly after: EpochMs;
}

export interface ChainUse {
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Queries over the tables of `chatProjection`. */
export interface ChatRecords {
  conversation(name: string): Promise<Conversation | undefined>;
  /** Most recently active first. */
  conversations(now: EpochMs): Promise<readonly ConversationSummary[]>;
  /** Oldest first. */
  messages(filter: MessageFilter): Promise<readonly Message[]>;
  message(conversation: string, id: number): Promise<Message | undefined>;
  /** Expired messages that are not erased yet. */
  expiredMessages(conversation: string, before: EpochMs): Promise<readonly Message[]>;
  notification(id: string): Promise<Notification | undefined>;
  /** All of a conversation, ordered by message. */
  notifications(conversation: string): Promise<readonly Notification[]>;
  /** Dropped or parked notifications about messages `first` to `last`. */
  unanswered(conversation: string, first: number, last: number): Promise<readonly Notification[]>;
  /** Queued and claimed notifications of a conversation. */
  openIn(conversation: string): Promise<readonly Notification[]>;
  /** For these agents: every claimed notification, and the oldest queued one of each conversation that is not paused. */
  open(agents: readonly string[]): Promise<readonly Notification[]>;
  /** An agent's messages in answer to a notification. */
  answersTo(notification: string): Promise<readonly Message[]>;
  /** Messages that were posted after their conversation was deleted. */
  orphanedMessages(): Promise<readonly Message[]>;
  /** The notifications of a message. */
  notificationsOf(conversation: string, message: number): Promise<readonly Notification[]>;
  /** The agents' messages that led to a message, itself included, newest first. */
  lineage(message: Pick<Message, 'conversation' | 'id'>): Promise<readonly Pick<Message, 'from' | 'text'>[]>;
  /** The notification that a run answers. */
  ofRun(run: string): Promise<Notification | undefined>;
  /** The notification that an agent has claimed in a conversation. */
  claimed(conversation: string, agent: string): Promise<Notification | undefined>;
  chainUse(chain: string): Promise<ChainUse>;
  counts(): Promise<Readonly<Record<NotificationStatus, number>>>;
}

export interface ChatAgents {
  names(): Promise<ReadonlySet<string>>;
  /** Patterns of the tools that an agent may use; undefined for all. */
  toolsOf(agent: string): Promise<readonly string[] | undefined>;
}

/** Erases content from the ledger. */
export interface ChatErasure {
  /** The events of these streams that hold content. */
  bodiesOf(streams: readonly string[]): Promise<readonly EventAddress[]>;
  /** The streams of a run and its child runs. */
  streamsOfRun(run: string): Promise<readonly string[]>;
  /** Fails before erasing anything if erasing is not possible now. */
  erase(events: readonly EventAddress[], by: string, reason: string): Promise<void>;
  /** Cancels unfinished runs. */
  stop(runs: readonly string[], by: string, reason: string): Promise<void>;
}

export interface ChatParts {
  readonly events: EventStore;
  readonly records: ChatRecords;
  readonly agents: ChatAgents;
  readonly erasure: ChatErasure;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: ChainLimits;
  /** How long messages are visible unless the conversation overrides it. Default: one week. */
  readonly ttlMs?: number;
}
