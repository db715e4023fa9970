import type { EpochMs } from '../kernel/index.ts';

/** The sender name of people. */
export const PERSON = 'user';

export interface Conversation {
  readonly name: string;
  readonly createdAt: EpochMs;
  readonly createdBy: string;
  readonly paused: boolean;
  /** How long a message is visible. */
  readonly ttlMs: number;
  /** The participating agents. */
  readonly agents: readonly string[];
}

export interface Message {
  readonly conversation: string;
  /** Increases within a conversation. */
  readonly id: number;
  readonly at: EpochMs;
  readonly from: string;
  readonly text: string;
  /** The number of mentions from a person's message to this one. */
  readonly depth: number;
  /** The notification that this message answers. */
  readonly cause?: string;
  /** Mentioned names that do not exist. */
  readonly unknown: readonly string[];
  /** The run that wrote it had read untrusted content. */
  readonly tainted?: true;
}

export type NotificationStatus = 'queued' | 'claimed' | 'done' | 'dropped';

export type DropReason =
  | 'depth'
  | 'budget'
  | 'loop'
  | 'failed'
  | 'quarantined'
  | 'cancelled'
  | 'deleted'
  | 'expired'
  | 'unknown_agent';

/** Records that an agent was mentioned and must answer. */
export interface Notification {
  /** `<conversation>/<message>/<agent>`, one for each agent and message. */
  readonly id: string;
  readonly conversation: string;
  readonly message: number;
  readonly agent: string;
  readonly depth: number;
  /** The person's message that started the chain, as `<conversation>/<message>`. */
  readonly chain: string;
  readonly status: NotificationStatus;
  readonly reason?: DropReason;
  readonly detail?: string;
  /** How often a host has claimed it. */
  readonly attempts: number;
  readonly run?: string;
  /** The host that has claimed it. */
  readonly owner?: string;
  /** Whether its run waits for a person, or for a model. */
  readonly parked: boolean;
  /** Set while the turn waits for a model that is rate limited or overloaded. */
  readonly waiting?: ModelWait;
  /** Tool patterns of every agent in the chain. The answering agent may use only what all of them may use. */
  readonly within: readonly (readonly string[])[];
  /** Whether agent output or web content contributed to it. */
  readonly untrusted: boolean;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Until when a turn waits for its model, and why. */
export interface ModelWait {
  readonly until: EpochMs;
  readonly why: string;
}

/** Limits of a chain of mentions. */
export interface ChainLimits {
  readonly depth: number;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
}

export const DEFAULT_CHAIN_LIMITS: ChainLimits = {
  depth: 100,
  turns: 1_000,
  tokens: 2_000_000,
  costUsd: 10,
};

const DAY_MS = 86_400_000;
export const DEFAULT_TTL_MS = 7 * DAY_MS;

export type ChatErrorCode = 'chat.unknown' | 'chat.exists' | 'chat.invalid';
