import type { MirrorRecord } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';

/** Consecutive places of one workspace's ledger. A sink takes them whole or not at all. */
export interface ReplicaBatch {
  readonly workspace: string;
  /** Where the sink has to stand for the batch to fit. */
  readonly after: LedgerHead;
  /** Where the sink stands once it has taken the batch. */
  readonly head: LedgerHead;
  readonly records: readonly MirrorRecord[];
  /** The same for the same content, so that a sink can tell a repetition. */
  readonly key: string;
}

/** What is there, in numbers. `bodies` are the events whose content has not been erased. */
export interface ReplicaTally {
  readonly events: number;
  readonly archived: number;
  readonly bodies?: number;
  /** Rows of the folded tables by table. */
  readonly rows?: Readonly<Record<string, number>>;
}

/** What replication refuses or fails with. */
export type ReplicationErrorCode =
  | 'replication.not_configured'
  | 'replication.invalid'
  | 'replication.unreachable'
  | 'replication.refused'
  | 'replication.bad_answer'
  | 'replication.diverged'
  | 'replication.busy';
