import type { MirrorRecord } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import type { ReplicaBatch, ReplicaTally } from './types.ts';

/** The ledger as the outbox reads it. */
export interface OutboxSource {
  head(): Promise<LedgerHead>;
  /** Up to `limit` consecutive records after `seq`, including archived ones, all of them on disk. */
  read(afterSeq: number, limit: number): Promise<readonly MirrorRecord[]>;
}

/**
 * Stores a copy of the ledger. The position that the sink reports is authoritative; everything else is a cache. Temporary
 * failures are `transient`. Calls do not overlap.
 */
export interface ReplicaSink {
  /** Display name; never contains a secret. */
  readonly name: string;
  /** Its position in a workspace; seq 0 and an empty hash when it has no events. */
  position(workspace: string, signal: AbortSignal): Promise<LedgerHead>;
  /**
   * Stores the batch, with the erasures and archivings it records, if it follows the sink's position; returns the new
   * position. A batch that does not follow changes nothing. Idempotent.
   */
  ship(batch: ReplicaBatch, signal: AbortSignal): Promise<LedgerHead>;
  /** Counts of a workspace's data; undefined if the sink cannot count. */
  tally(workspace: string, signal: AbortSignal): Promise<ReplicaTally | undefined>;
  /** The stored records in order; omitted by sinks that cannot be read. */
  read?(
    workspace: string,
    afterSeq: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly MirrorRecord[]>;
  close(): Promise<void>;
}
