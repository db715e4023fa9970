import { type RecordedReplication, ReplicationRecord } from '../../adapters/replication/index.ts';
import { type Clock, type Failure, type Redactor, toFailure } from '../../kernel/index.ts';
import type { LedgerHead } from '../../ledger/index.ts';

/** The last error and its time. */
export type LastError = NonNullable<RecordedReplication['error']>;

/** The history of shipping to a sink, for display only. */
export class ReplicationHistory {
  readonly #record: ReplicationRecord;
  readonly #clock: Clock;
  readonly #redactor: Redactor;

  constructor(folder: string, ports: { readonly clock: Clock; readonly redactor: Redactor }) {
    this.#record = new ReplicationRecord(folder);
    this.#clock = ports.clock;
    this.#redactor = ports.redactor;
  }

  /** The history of this sink. */
  of(sink: string): Omit<RecordedReplication, 'sink'> {
    const record = this.#record.read();
    if (record?.sink !== sink) return {};
    const { sink: _sink, ...rest } = record;
    return rest;
  }

  shipped(sink: string, { seq }: LedgerHead): void {
    this.#write({ sink, seq, shippedAt: this.#clock.now(), failures: 0 });
  }

  failed(
    sink: string,
    failure: Failure,
    plan: { readonly failures: number; readonly nextTryAt?: number },
  ): LastError {
    const error = this.told(failure);
    const { seq, shippedAt } = this.of(sink);
    this.#write({
      sink,
      ...(seq === undefined ? {} : { seq }),
      ...(shippedAt === undefined ? {} : { shippedAt }),
      ...plan,
      error,
    });
    return error;
  }

  /** A failure without secrets. */
  told({ code, message }: Failure): LastError {
    return { code, message: this.#redactor.text(message), at: this.#clock.now() };
  }

  #write(record: RecordedReplication): void {
    try {
      this.#record.write(record);
    } catch {
      // A full disk must not stop replication; the shown history is older then.
    }
  }
}

/** Anything thrown as a failure of replication. */
export function replicationFailure(error: unknown): Failure {
  return toFailure(error, 'replication.unreachable');
}
