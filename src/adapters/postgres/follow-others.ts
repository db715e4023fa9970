// Owns: noticing the events that other processes write. Does not own: those of this process.
import type pg from 'pg';
import { backoffMs, type Clock } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';

const PAUSES = { firstMs: 200, longestMs: 10_000 };
const BATCH = 1_000;

interface FollowParts {
  readonly clock: Clock;
  readonly channel: string;
  readonly connect: () => Promise<pg.Client>;
  readonly head: () => Promise<number>;
  readonly readAfter: (seq: number, limit: number) => Promise<readonly LedgerEvent[]>;
  readonly deliver: (events: readonly LedgerEvent[]) => void;
}

/** Reads what others have written whenever a transaction notifies the channel. */
export class FollowOthers {
  readonly #parts: FollowParts;
  /** Chain values of events of this process. */
  readonly #own = new Set<string>();
  #seen: number | undefined;
  #client: pg.Client | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isStopped = false;
  #cancelRetry: () => void = () => undefined;

  constructor(parts: FollowParts) {
    this.#parts = parts;
    void this.#listen(1);
  }

  /** Events that this process is about to commit, and delivers itself. The notification may come before the answer. */
  noteOwn(events: readonly LedgerEvent[]): void {
    for (const { chain } of events) this.#own.add(chain);
  }

  /** Passes over events of this process that were stored right after the last one seen, so that they are not read again. */
  skipOwn(events: readonly LedgerEvent[]): void {
    const [first, last] = [events[0]?.seq, events.at(-1)?.seq];
    if (last === undefined || first !== (this.#seen ?? Number.NaN) + 1) return;
    this.#seen = last;
    for (const { chain } of events) this.#own.delete(chain);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRetry();
    await this.#reading?.catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
  }

  async #listen(attempt: number): Promise<void> {
    const retry = (): void => {
      this.#client = undefined;
      if (this.#isStopped) return;
      const { clock } = this.#parts;
      const at = clock.now() + backoffMs(attempt, PAUSES);
      this.#cancelRetry = clock.callAt(at, () => void this.#listen(attempt + 1), { background: true });
    };
    try {
      const { channel, connect, head } = this.#parts;
      this.#seen ??= await head();
      const client = await connect();
      this.#client = client;
      client.once('end', retry);
      client.on('notification', () => this.#read());
      await client.query(`LISTEN ${channel}`);
      if (this.#isStopped) await client.end();
      // Events may have come before the channel was open.
      else this.#read();
    } catch {
      if (this.#client === undefined) retry();
    }
  }

  #read(): void {
    this.#isStale = true;
    this.#reading ??= this.#catchUp()
      // The next notification or connection reads again.
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined;
      });
  }

  async #catchUp(): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      this.#isStale = false;
      const events = await this.#parts.readAfter(this.#seen ?? 0, BATCH);
      if (events.length === 0) continue;
      // Own events may have been passed over meanwhile.
      const seen = this.#seen ?? 0;
      this.#seen = Math.max(seen, events.at(-1)?.seq ?? 0);
      const others = events.filter(({ seq, chain }) => !this.#own.delete(chain) && seq > seen);
      if (others.length > 0) this.#parts.deliver(others);
      if (events.length === BATCH) this.#isStale = true;
    }
  }
}
