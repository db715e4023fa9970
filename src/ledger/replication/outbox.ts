// Owns: shipping the ledger to a sink. Does not own: retries (follow-ledger), the implementation of a sink.
// I1 The last answer of the sink decides what to send next; after a failure its position is queried again.
// I2 A sink whose content differs from this ledger is never written to.
// I3 At most one batch is in memory, and none while waiting, so that content erased meanwhile is not sent.
import { OkaError } from '../../kernel/index.ts';
import { EMPTY_LEDGER } from '../event.ts';
import { placeOf } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import { BATCH_LIMITS, type BatchLimits, nextBatch, workspaceId } from './next-batch.ts';
import type { OutboxSource, ReplicaSink } from './ports.ts';
import type { ReplicationErrorCode } from './types.ts';

export interface OutboxParts {
  readonly source: OutboxSource;
  readonly sink: ReplicaSink;
  readonly limits?: BatchLimits;
}

/** The position of a sink; `events` counts those sent in this call. */
export interface ReplicaProgress {
  readonly position: LedgerHead;
  readonly events: number;
}

/** Ships the ledger to one sink. */
export class Outbox {
  readonly #parts: OutboxParts;
  #workspace: string | undefined;
  #position: LedgerHead | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Ships everything in batches and returns the final position of the sink. Rejects with the sink's error. */
  async shipAll(
    signal: AbortSignal,
    onShipped: (progress: ReplicaProgress) => void | Promise<void> = () => undefined,
  ): Promise<ReplicaProgress> {
    let events = 0;
    for (;;) {
      signal.throwIfAborted();
      const progress = await this.#shipNext(signal);
      if (progress.events === 0) return { position: progress.position, events };
      events += progress.events;
      await onShipped(progress);
    }
  }

  async #shipNext(signal: AbortSignal): Promise<ReplicaProgress> {
    const { source, sink, limits } = this.#parts;
    this.#workspace ??= await workspaceId(source);
    const workspace = this.#workspace;
    if (workspace === undefined) return { position: EMPTY_LEDGER, events: 0 };
    const after = this.#position ?? (await requireSame(source, sink, await sink.position(workspace, signal)));
    this.#position = undefined;
    const batch = await nextBatch(source, { workspace, after }, limits ?? BATCH_LIMITS);
    if (batch === undefined) {
      this.#position = after;
      return { position: after, events: 0 };
    }
    const position = await requireSame(source, sink, await sink.ship(batch, signal));
    if (position.seq === after.seq) throw stuck(sink, position);
    this.#position = position;
    return { position, events: batch.records.length };
  }
}

/** Returns the position if this ledger has the same hash there. */
async function requireSame(
  source: OutboxSource,
  sink: ReplicaSink,
  position: LedgerHead,
): Promise<LedgerHead> {
  if (await isSame(source, position)) return position;
  const code: ReplicationErrorCode = 'replication.diverged';
  throw new OkaError(
    code,
    `${sink.name} differs from this ledger at seq ${position.seq}, so nothing is sent to it. The ledger was restored to an older state, or a copy of it diverged. Compare them with: oka replicate verify. To start over, remove this workspace at the sink or configure another sink.`,
    { data: { sink: sink.name, seq: position.seq, head: position.hash } },
  );
}

/** Whether the ledger has this hash at this position. */
export async function isSame(source: OutboxSource, { seq, hash }: LedgerHead): Promise<boolean> {
  if (seq === 0) return hash === '';
  const [record] = await source.read(seq - 1, 1);
  const found = record && placeOf(record);
  return found?.seq === seq && found.hash === hash;
}

function stuck(sink: ReplicaSink, { seq }: LedgerHead): OkaError<ReplicationErrorCode> {
  return new OkaError(
    'replication.bad_answer',
    `${sink.name} accepted a batch after seq ${seq} but did not advance. Check how it stores batches.`,
    { data: { sink: sink.name, seq }, transient: true },
  );
}
