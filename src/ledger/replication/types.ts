import type { MirrorRecord } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';

/** Consecutive records of one workspace's ledger. A sink stores all of them or none. */
export interface ReplicaBatch {
  readonly workspace: string;
  /** The position that the sink must have for the batch to fit. */
  readonly after: LedgerHead;
  /** The position of the sink after the batch. */
  readonly head: LedgerHead;
  readonly records: readonly MirrorRecord[];
  /** Equal for equal content, so that a sink can detect a repetition. */
  readonly key: string;
}

/** Counts of a sink's data. `bodies` counts the events whose content is not erased. */
export interface ReplicaTally {
  readonly events: number;
  readonly archived: number;
  readonly bodies?: number;
  /** Row counts of the folded tables. */
  readonly rows?: Readonly<Record<string, number>>;
}

export type ReplicationErrorCode =
  | 'replication.not_configured'
  | 'replication.invalid'
  | 'replication.unreachable'
  | 'replication.refused'
  | 'replication.bad_answer'
  | 'replication.diverged'
  | 'replication.busy';
