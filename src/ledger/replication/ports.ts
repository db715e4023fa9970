import type { MirrorRecord } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import type { ReplicaBatch, ReplicaTally } from './types.ts';

/** The ledger as the outbox reads it. */
export interface OutboxSource {
  head(): Promise<LedgerHead>;
  /** Up to `limit` consecutive records after `seq`, archived places included, all of them on disk. */
  read(afterSeq: number, limit: number): Promise<readonly MirrorRecord[]>;
}

/**
 * Where a copy of the ledger is kept. The sink's own answer about where it stands is the authority; everything else is a
 * cache. Failures that may pass are `transient`. It is asked one thing at a time.
 */
export interface ReplicaSink {
  /** For people; never with a secret in it. */
  readonly name: string;
  /** Where it stands with a workspace; seq 0 and an empty hash when it has nothing of it. */
  position(workspace: string, signal: AbortSignal): Promise<LedgerHead>;
  /**
   * Takes the batch if it fits where the sink stands, together with the erasures and archivings it tells of, and answers
   * where it stands then. A batch that does not fit changes nothing. Idempotent.
   */
  ship(batch: ReplicaBatch, signal: AbortSignal): Promise<LedgerHead>;
  /** What it has of a workspace; undefined when it cannot tell. */
  tally(workspace: string, signal: AbortSignal): Promise<ReplicaTally | undefined>;
  /** What it has, in order; left out by sinks that cannot be read back. */
  read?(
    workspace: string,
    afterSeq: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly MirrorRecord[]>;
  close(): Promise<void>;
}
