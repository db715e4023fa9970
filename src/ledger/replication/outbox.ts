// Owns: bringing a sink to where the ledger is. Does not own: when to try again (follow-ledger), what a sink is made of.
// I1 What is sent next follows from what the sink said last; after a failure it is asked anew.
// I2 A sink that has something else than this ledger is never written to.
// I3 No more than one batch is held, and none while waiting, so that what was erased meanwhile is not sent.
import { OkaError } from '../../kernel/index.ts';
import { EMPTY_LEDGER } from '../event.ts';
import { placeOf } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import { BATCH_LIMITS, type BatchLimits, nextBatch, workspaceId } from './next-batch.ts';
import type { OutboxSource, ReplicaSink } from './ports.ts';
import type { ReplicationErrorCode } from './types.ts';

/** What an outbox works with. */
export interface OutboxParts {
  readonly source: OutboxSource;
  readonly sink: ReplicaSink;
  readonly limits?: BatchLimits;
}

/** How far a sink has come; `events` were sent to it just now. */
export interface ReplicaProgress {
  readonly position: LedgerHead;
  readonly events: number;
}

/** Follows the ledger and ships it to one sink. */
export class Outbox {
  readonly #parts: OutboxParts;
  #workspace: string | undefined;
  #position: LedgerHead | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Ships all there is, batch by batch; answers where the sink stands then. Rejects with what the sink failed with. */
  async shipAll(
    signal: AbortSignal,
    onShipped: (progress: ReplicaProgress) => void = () => undefined,
  ): Promise<ReplicaProgress> {
    let events = 0;
    for (;;) {
      signal.throwIfAborted();
      const progress = await this.#shipNext(signal);
      if (progress.events === 0) return { position: progress.position, events };
      events += progress.events;
      onShipped(progress);
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

/** The position, if this ledger has the same at that place. */
async function requireSame(
  source: OutboxSource,
  sink: ReplicaSink,
  position: LedgerHead,
): Promise<LedgerHead> {
  if (await isSame(source, position)) return position;
  const code: ReplicationErrorCode = 'replication.diverged';
  throw new OkaError(
    code,
    `${sink.name} has something else at seq ${position.seq} than this ledger, so nothing is sent to it. The ledger was put back to an older state, or a copy of it goes on elsewhere; look with: oka replicate verify. To begin anew, remove this workspace there or name another place.`,
    { data: { sink: sink.name, seq: position.seq, head: position.hash } },
  );
}

/** Whether the ledger has this hash at this place. */
export async function isSame(source: OutboxSource, { seq, hash }: LedgerHead): Promise<boolean> {
  if (seq === 0) return hash === '';
  const [record] = await source.read(seq - 1, 1);
  const found = record && placeOf(record);
  return found?.seq === seq && found.hash === hash;
}

function stuck(sink: ReplicaSink, { seq }: LedgerHead): OkaError<ReplicationErrorCode> {
  return new OkaError(
    'replication.bad_answer',
    `${sink.name} was sent what follows seq ${seq} and still says that it is there; look at what it does with a batch.`,
    { data: { sink: sink.name, seq }, transient: true },
  );
}
