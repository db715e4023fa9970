import type { ChainLimits, ChatAgents } from '../../chat/index.ts';
import type { Engine, Owners, RunRequest } from '../../engine/index.ts';
import type { Clock, Ids } from '../../kernel/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ErasureParts } from './chat-erasure.ts';

/** What conversations need of the workspace. */
export interface ChatWorkbench {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly owners: Owners;
  readonly databaseFile: string;
  /** For looking. */
  readonly ledger: () => OpenLedger;
  /** For changing; refuses where the workspace is not trusted. */
  readonly writable: () => Promise<OpenLedger>;
  readonly acting: () => Promise<Engine>;
  readonly agents: ChatAgents;
  readonly erase: ErasureParts['erase'];
  /** The run of an agent on a goal that somebody gives. */
  readonly agentRun: (agent: string, goal: string, by: string) => Promise<RunRequest>;
  /** Hears what models say, until the answer is called; the way to stop. */
  readonly listen: (hear: (piece: { readonly run: string; readonly text: string }) => void) => () => void;
  /** Wakes hosts in other processes. */
  readonly ring: (agents: readonly string[], bell: Doorbell) => void;
  /** Agents that answer in a process of their own. */
  readonly hostedElsewhere: () => Promise<ReadonlySet<string>>;
  readonly onTrouble: (what: string) => void;
  /** What differs from the usual: limits of chains, and how long messages are shown. */
  readonly settings: () => Promise<ChatSettings>;
}

export type ChatSettings = Partial<ChainLimits> & { readonly ttlMs?: number };

/** What is rung for. */
export interface Doorbell {
  readonly conv_name: string;
  readonly message_id: number;
  readonly depth: number;
}
