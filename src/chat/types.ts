import type { EpochMs } from '../kernel/index.ts';

/** The name under which people speak. */
export const PERSON = 'user';

export interface Conversation {
  readonly name: string;
  readonly createdAt: EpochMs;
  readonly createdBy: string;
  readonly paused: boolean;
  /** How long a message is shown. */
  readonly ttlMs: number;
  /** The agents that take part. */
  readonly agents: readonly string[];
}

export interface Message {
  readonly conversation: string;
  /** Ids of a conversation only grow. */
  readonly id: number;
  readonly at: EpochMs;
  readonly from: string;
  readonly text: string;
  /** How many mentions lead from a person's message to this one. */
  readonly depth: number;
  /** The notification that this message answers. */
  readonly cause?: string;
  /** Names that were mentioned and that nobody has. */
  readonly unknown: readonly string[];
}

export type NotificationStatus = 'queued' | 'claimed' | 'done' | 'dropped';

/** Why a notification was dropped. */
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

/** Somebody has to be told that they were mentioned. */
export interface Notification {
  /** `<conversation>/<message>/<agent>`: there is one for each agent and message. */
  readonly id: string;
  readonly conversation: string;
  readonly message: number;
  readonly agent: string;
  readonly depth: number;
  /** The person's message that all of this began with, as `<conversation>/<message>`. */
  readonly chain: string;
  readonly status: NotificationStatus;
  readonly reason?: DropReason;
  readonly detail?: string;
  /** How often a host has taken it up. */
  readonly attempts: number;
  readonly run?: string;
  /** The host that has taken it up. */
  readonly owner?: string;
  /** Whether its run waits for a person. */
  readonly parked: boolean;
  /** The tools of everybody on the way, each a list of patterns: who answers may use what all of them may. */
  readonly within: readonly (readonly string[])[];
  /** Whether what an agent or a page said has a part in it. */
  readonly untrusted: boolean;
  readonly tokens: number;
  readonly costUsd: number;
}

/** What a chain of mentions may use before it is cut. */
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
