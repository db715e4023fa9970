import type { EpochMs } from '../kernel/index.ts';
import type { WorkerOutcome } from './daemon-api.ts';

/** How a workspace's copy elsewhere is doing. */
export interface ReplicationStatus {
  readonly configured: boolean;
  /** The sink, without secrets. */
  readonly sink?: string;
  /** The name under which the sink knows this workspace; none while the ledger is empty. */
  readonly workspace?: string;
  /** Where the ledger is. */
  readonly head?: number;
  /** Where the sink is; as it was last known when it could not be reached. */
  readonly cursor?: number;
  /** Whether the sink itself said so just now. */
  readonly reached?: boolean;
  readonly lag?: {
    readonly events: number;
    /** How long the oldest event that is not there has been waiting. */
    readonly ms: number;
  };
  readonly shippedAt?: EpochMs;
  readonly failures?: number;
  readonly lastError?: { readonly code: string; readonly message: string; readonly at: EpochMs };
  readonly nextTryAt?: EpochMs;
  /** The process that ships, if one does. */
  readonly worker?: { readonly pid: number };
}

/** What was sent, and where the sink stands now. */
export interface ReplicationShipped {
  readonly sink: string;
  readonly events: number;
  readonly cursor: number;
  readonly head: string;
}

interface ReplicaSide {
  readonly seq: number;
  readonly hash: string;
  readonly events?: number;
  readonly archived?: number;
  readonly bodies?: number;
  readonly rows?: Readonly<Record<string, number>>;
}

/** What comparing the sink with the ledger has found. */
export interface ReplicationVerifyAnswer {
  readonly ok: boolean;
  readonly sinkName: string;
  readonly workspace?: string;
  readonly ledger: ReplicaSide;
  readonly sink: ReplicaSide;
  /** How many events the sink does not have yet; no fault. */
  readonly behind: number;
  /** Whether the chain of the sink's own data was walked. */
  readonly chainWalked: boolean;
  readonly faults: readonly { readonly where: string; readonly what: string }[];
}

/** The copy of a workspace's ledger and memory that is kept elsewhere. */
export interface ReplicationApi {
  status(): Promise<ReplicationStatus>;
  /** Sends all there is now. */
  once(signal?: AbortSignal): Promise<ReplicationShipped>;
  verify(signal?: AbortSignal): Promise<ReplicationVerifyAnswer>;
  /** Sends what comes until the signal aborts, and tries again whatever the sink does. */
  follow(options: {
    readonly signal: AbortSignal;
    readonly onShipped?: (progress: { readonly events: number; readonly cursor: number }) => void;
    /** Hears of the first of several failures in a row; they are tried again. */
    readonly onTrouble?: (what: string) => void;
    /** Hears how each attempt went. */
    readonly onOutcome?: (outcome: WorkerOutcome) => void;
    /** Hears that another process ships, and that this one waits; `onTrouble` where it is missing. */
    readonly onWaiting?: (message: string) => void;
  }): Promise<void>;
}
