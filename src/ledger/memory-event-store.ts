import type { Clock, Random } from '../kernel/index.ts';
import { type CommitOutcome, CommitQueue } from './commit-queue.ts';
import { EMPTY_LEDGER, EMPTY_STREAM, type LedgerEvent } from './event.ts';
import { MemoryTables } from './memory-tables.ts';
import type { EventStore } from './ports.ts';
import type { Projection } from './projection.ts';
import { placeGroup, sealEvents, type WrittenCommit, writeOutCommit } from './seal-group.ts';
import type { Commit, LedgerHead, StreamEnd } from './types.ts';

const SALT_BYTES = 16;

/** The ledger in memory, with the same sealing, grouping and folding as on disk. */
export class MemoryEventStore implements EventStore {
  readonly tables: MemoryTables;
  readonly #events: LedgerEvent[] = [];
  readonly #streams = new Map<string, LedgerEvent[]>();
  readonly #listeners = new Set<(events: readonly LedgerEvent[]) => void>();
  readonly #queue: CommitQueue;
  readonly #clock: Clock;
  readonly #newSalt: () => string;
  #head: LedgerHead = EMPTY_LEDGER;

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly projections?: readonly Projection[];
  }) {
    this.#clock = options.clock;
    this.#newSalt = () => options.random.hex(SALT_BYTES);
    this.tables = new MemoryTables(options.projections ?? []);
    this.#queue = new CommitQueue((group) => this.#write(group));
  }

  async commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    return this.#queue.push(writeOutCommit(commit, this.#newSalt));
  }

  waitForCapacity(): Promise<void> | undefined {
    return this.#queue.waitForCapacity();
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

  #write(group: readonly WrittenCommit[]): readonly CommitOutcome[] {
    const tail = { head: this.#head, end: (stream: string) => this.#end(stream) };
    const { outcomes, events } = placeGroup(group, tail, this.#clock.now());
    sealEvents(events, tail);
    for (const event of events) {
      this.#events.push(event);
      const stream = this.#streams.get(event.stream);
      if (stream) stream.push(event);
      else this.#streams.set(event.stream, [event]);
      this.tables.apply(event);
      this.#head = { seq: event.seq, hash: event.chain };
    }
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
    return outcomes;
  }
}
