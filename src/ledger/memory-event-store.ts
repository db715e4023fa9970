import type { Clock, Random } from '../kernel/index.ts';
import { type CommitOutcome, CommitQueue } from './commit-queue.ts';
import { EMPTY_LEDGER, EMPTY_STREAM, type LedgerEvent } from './event.ts';
import { MemoryTables } from './memory-tables.ts';
import type { EventStore } from './ports.ts';
import type { Projection } from './projection.ts';
import { sealGroup } from './seal-group.ts';
import type { Commit, LedgerHead, StreamEnd } from './types.ts';

const SALT_BYTES = 16;

/** The ledger without a disk: the same sealing, grouping and folding, gone with the process. */
export class MemoryEventStore implements EventStore {
  readonly tables: MemoryTables;
  readonly #events: LedgerEvent[] = [];
  readonly #streams = new Map<string, LedgerEvent[]>();
  readonly #listeners = new Set<(events: readonly LedgerEvent[]) => void>();
  readonly #queue: CommitQueue;
  readonly #clock: Clock;
  readonly #random: Random;
  #head: LedgerHead = EMPTY_LEDGER;

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly projections?: readonly Projection[];
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.tables = new MemoryTables(options.projections ?? []);
    this.#queue = new CommitQueue((group) => this.#write(group));
  }

  commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    return this.#queue.push(commit);
  }

  read(stream: string, fromIndex = 0): Promise<readonly LedgerEvent[]> {
    return Promise.resolve((this.#streams.get(stream) ?? []).slice(fromIndex));
  }

  readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    return Promise.resolve(this.#events.slice(seq, seq + limit));
  }

  end(stream: string): Promise<StreamEnd> {
    return Promise.resolve(this.#end(stream));
  }

  head(): Promise<LedgerHead> {
    return Promise.resolve(this.#head);
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  subscribe(listener: (events: readonly LedgerEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #end(stream: string): StreamEnd {
    return this.#streams.get(stream)?.at(-1) ?? EMPTY_STREAM;
  }

  #write(group: readonly Commit[]): readonly CommitOutcome[] {
    const sealed = sealGroup(
      group,
      { head: this.#head, end: (stream) => this.#end(stream) },
      { at: this.#clock.now(), newSalt: () => this.#random.hex(SALT_BYTES) },
    );
    const stored: LedgerEvent[] = [];
    const outcomes = sealed.outcomes.map((outcome): CommitOutcome => {
      if ('refused' in outcome) return { error: outcome.refused };
      stored.push(...outcome.events);
      return { events: outcome.events };
    });
    for (const event of stored) {
      this.#events.push(event);
      const stream = this.#streams.get(event.stream);
      if (stream) stream.push(event);
      else this.#streams.set(event.stream, [event]);
      this.tables.apply(event);
    }
    this.#head = sealed.head;
    if (stored.length > 0) for (const listener of this.#listeners) listener(stored);
    return outcomes;
  }
}
