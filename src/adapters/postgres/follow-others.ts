// Owns: noticing the events that other processes write. Does not own: those of this process.
import type pg from 'pg';
import type { Clock } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { Notifications } from './notifications.ts';

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
  readonly #notifications: Notifications;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #isStopped = false;

  constructor(parts: FollowParts) {
    this.#parts = parts;
    const { clock, channel } = parts;
    const connect = async (): Promise<pg.Client> => {
      this.#seen ??= await parts.head();
      return parts.connect();
    };
    const read = (): void => this.#read();
    this.#notifications = new Notifications({ clock, channel, connect, onNotification: read, onOpen: read });
  }

  /** Events that this process is about to commit, and delivers itself. The notification may come before the answer. */
  noteOwn(events: readonly LedgerEvent[]): void {
    for (const { chain } of events) this.#own.add(chain);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reading?.catch(() => undefined);
    await this.#notifications.stop();
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
      this.#seen = events.at(-1)?.seq ?? this.#seen;
      const others = events.filter(({ chain }) => !this.#own.delete(chain));
      if (others.length > 0) this.#parts.deliver(others);
      if (events.length === BATCH) this.#isStale = true;
    }
  }
}
