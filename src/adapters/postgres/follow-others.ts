// Owns: noticing the events that other processes write. Does not own: those of this process.
import type pg from 'pg';
import type { Clock } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { Notifications } from './notifications.ts';

const BATCH = 1_000;
/** Commits of this process that may wait for an event of another one. */
const MAX_STORED = 100;

interface FollowParts {
  readonly clock: Clock;
  readonly channel: string;
  readonly connect: () => Promise<pg.Client>;
  /** Whether a process of the server works for this process's own commits. */
  readonly isOwn: (serverProcess: number) => boolean;
  readonly head: () => Promise<number>;
  readonly readAfter: (seq: number, limit: number) => Promise<readonly LedgerEvent[]>;
  readonly deliver: (events: readonly LedgerEvent[]) => void;
}

/** Reads what others have written whenever a transaction notifies the channel. */
export class FollowOthers {
  readonly #parts: FollowParts;
  /** Chain values of events of this process that were not passed over yet. */
  readonly #own = new Set<string>();
  /** Commits of this process after the last event seen. */
  readonly #stored: (readonly LedgerEvent[])[] = [];
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
    this.#notifications = new Notifications({
      ...{ clock, channel, connect },
      onNotification: (_, serverProcess) => {
        if (!parts.isOwn(serverProcess)) this.#read();
      },
      onOpen: () => this.#read(),
    });
  }

  /** Events that this process is about to commit, and delivers itself. The notification may come before the answer. */
  noteOwn(events: readonly LedgerEvent[]): void {
    for (const { chain } of events) this.#own.add(chain);
  }

  /** Events that were not stored. */
  noteRefused(events: readonly LedgerEvent[]): void {
    for (const { chain } of events) this.#own.delete(chain);
  }

  /** Events of this process that are committed. They are not read again. */
  noteStored(events: readonly LedgerEvent[]): void {
    this.#stored.push(events);
    if (this.#reading === undefined) this.#passOwn();
    // An event before them was not seen. Its notification may have been taken for one of this process.
    if (this.#stored.length > MAX_STORED) this.#read();
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

  /** Moves past own events that follow the last event seen. No read may be under way, because it could return them. */
  #passOwn(): void {
    if (this.#seen === undefined) return;
    for (let next = this.#stored[0]; next !== undefined; next = this.#stored[0]) {
      if ((next[0] as LedgerEvent).seq > this.#seen + 1) return;
      this.#stored.shift();
      this.#seen = Math.max(this.#seen, (next.at(-1) as LedgerEvent).seq);
      for (const { chain } of next) this.#own.delete(chain);
    }
  }

  async #catchUp(): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      this.#isStale = false;
      this.#passOwn();
      const seen = this.#seen ?? 0;
      const nextOwn = this.#stored[0]?.[0]?.seq ?? Number.POSITIVE_INFINITY;
      const limit = Math.min(BATCH, nextOwn - seen - 1);
      const events = await this.#parts.readAfter(seen, limit);
      if (events.length === 0) continue;
      this.#seen = events.at(-1)?.seq ?? seen;
      const others = events.filter(({ chain }) => !this.#own.delete(chain));
      if (others.length > 0) this.#parts.deliver(others);
      if (events.length === limit) this.#isStale = true;
    }
    this.#passOwn();
  }
}
