// Owns: the one write path. Does not own: sealing (ledger) or what tables mean (projections).
// I1 Events and the tables folded from them are one transaction.
// I2 A sequence number that is taken means that our view is stale: nothing of the attempt is kept, and it is made again.
// I3 A commit is refused only on a view that was read inside its own transaction.
// I4 Large groups are stored by a thread of their own, the next one at hand when one is done. What it cannot store, or may
//    not have stored, is stored here, after whatever was on its way before it.
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { Clock, Random } from '../../kernel/index.ts';
import {
  type Commit,
  type CommitOutcome,
  CommitQueue,
  type EventStore,
  endsOf,
  type LedgerEvent,
  type LedgerHead,
  markEnd,
  type PlacedGroup,
  type Projection,
  placeEvent,
  placeGroup,
  type StreamEnd,
  type SyncLevel,
  sealEvent,
  sealEvents,
  sealWith,
  type WrittenCommit,
  writeOutCommit,
} from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import { EVENT_COLUMNS, type EventRow, INSERT_EVENT, insertEvent, toEvent } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';
import { LedgerTail } from './ledger-tail.ts';
import { isKeyTaken, translateSqliteError } from './sqlite-error.ts';
import { type Seals, type StoreAnswer, sealsIfSame, storeRequest } from './store-request.ts';
import { type GroupStore, isNotFollowing, NO_THREAD, StoreEnded, StoreThread } from './store-thread.ts';

const SALT_BYTES = 16;

/** Smaller groups are stored sooner than another thread hears of them. */
const WORTH_A_THREAD = 64;

const NOT_OURS: readonly string[] = ['ENOENT', 'EROFS', 'EACCES', 'EPERM'];

export interface SqliteEventStoreOptions {
  readonly database: Database;
  readonly file: string;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly random: Random;
  readonly alwaysFull?: boolean;
  /** Starts what stores large groups; a thread unless told. */
  readonly startThread?: (file: string, onLost: (why: string) => void) => GroupStore;
  /** Hears that large groups are stored here because there is no thread for them. */
  readonly onWarning?: (message: string) => void;
}

/** Hears of stored events, and of their lines for the mirror where they are at hand. */
type StoredListener = (events: readonly LedgerEvent[], lines?: Uint8Array) => void;

export class SqliteEventStore implements EventStore {
  readonly tables: FoldedTables;
  readonly #database: Database;
  readonly #options: SqliteEventStoreOptions;
  readonly #tail: LedgerTail;
  readonly #queue = new CommitQueue((group) => this.#write(group));
  readonly #listeners = new Set<StoredListener>();
  readonly #newSalt: () => string;
  readonly #begin: Statement;
  readonly #insert: Statement;
  readonly #end: Statement;
  #thread: GroupStore | undefined;
  #onTheirWay = 0;
  /** Resolves when the last group that was sent to the thread is answered for. */
  #lastSent: Promise<unknown> = Promise.resolve();
  #level: SyncLevel = 'normal';
  #unsynced = false;
  #readStream: Statement | undefined;
  #readAll: Statement | undefined;

  constructor(options: SqliteEventStoreOptions) {
    this.#options = options;
    this.#database = options.database;
    this.#tail = new LedgerTail(options.database);
    this.#newSalt = () => options.random.hex(SALT_BYTES);
    this.tables = new FoldedTables(options.database, options.projections);
    this.#begin = this.#database.prepare('BEGIN IMMEDIATE');
    this.#end = this.#database.prepare('COMMIT');
    this.#insert = this.#database.prepare(INSERT_EVENT);
  }

  commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    try {
      return this.#queue.push(writeOutCommit(commit, this.#newSalt));
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  room(): Promise<void> | undefined {
    return this.#queue.room();
  }

  async read(stream: string, fromIndex = 0): Promise<readonly LedgerEvent[]> {
    return this.#translated(() => {
      this.#readStream ??= arrays(
        this.#database.prepare(
          `SELECT ${EVENT_COLUMNS} FROM streams s JOIN events e ON e.stream_id = s.id
           WHERE s.name = ? AND e.idx >= ? ORDER BY e.idx`,
        ),
      );
      return (this.#readStream.all(stream, fromIndex) as unknown as EventRow[]).map(toEvent);
    });
  }

  async readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    return this.#translated(() => this.#readRows(seq, limit));
  }

  #readRows(afterSeq: number, limit: number): readonly LedgerEvent[] {
    this.#readAll ??= arrays(
      this.#database.prepare(
        `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id WHERE e.seq > ? ORDER BY e.seq LIMIT ?`,
      ),
    );
    return (this.#readAll.all(afterSeq, limit) as unknown as EventRow[]).map(toEvent);
  }

  async end(stream: string): Promise<StreamEnd> {
    return this.#translated(() => new LedgerTail(this.#database).end(stream));
  }

  async head(): Promise<LedgerHead> {
    return this.#translated(() => new LedgerTail(this.#database).head);
  }

  subscribe(listener: StoredListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async sync(): Promise<void> {
    if (this.#unsynced) await this.makeDurable();
  }

  /** Brings to disk whatever any process has committed. */
  async makeDurable(): Promise<void> {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(`${this.#options.file}-wal`, 'r+');
      fdatasyncSync(descriptor);
      this.#unsynced = false;
    } catch (error) {
      // Who may not write the log has nothing of their own in it.
      if (!NOT_OURS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Answers everything handed in so far, then refuses more. */
  async close(): Promise<void> {
    await this.#queue.close();
    await this.#thread?.close();
    await this.sync();
  }

  /** Runs housekeeping that rewrites stored rows inside one synced transaction, beside the events that announce it. */
  rewrite(commit: Commit, change: (database: Database) => void): readonly LedgerEvent[] {
    const [outcome] = this.#translated(() => {
      this.#setLevel('full');
      // A group may be on its way to the other thread, so that nothing is known for sure.
      return this.#attemptFresh([writeOutCommit(commit, this.#newSalt)], change);
    });
    if (outcome && 'events' in outcome) return outcome.events;
    throw (outcome as { error: unknown }).error;
  }

  #write(group: readonly WrittenCommit[]): readonly CommitOutcome[] | Promise<readonly CommitOutcome[]> {
    const mayStay = this.#onTheirWay === 0;
    if (mayStay && group.length < WORTH_A_THREAD) return this.#writeHere(group);
    this.#thread ??= this.#startThread();
    if (mayStay && !this.#thread.isReady) return this.#writeHere(group);
    const written = this.#writeThere(group, this.#thread, this.#lastSent);
    this.#lastSent = written.catch(() => undefined);
    return written;
  }

  /** Where no thread may be started, everything is stored here. */
  #startThread(): GroupStore {
    const { file, startThread = (path, onLost) => new StoreThread(path, onLost), onWarning } = this.#options;
    const onLost = (why: string): void =>
      onWarning?.(`No thread stores events (${why}); they are stored in the main thread, which is slower.`);
    try {
      return startThread(file, onLost);
    } catch (error) {
      onLost((error as Error).message);
      return NO_THREAD;
    }
  }

  #writeHere(group: readonly WrittenCommit[]): readonly CommitOutcome[] {
    return this.#translated(() => {
      this.#setLevel(this.#levelOf(group));
      if (this.#tail.isAhead) return this.#attemptFresh(group);
      const alone = group.length === 1 ? this.#writeAlone(group[0] as WrittenCommit) : undefined;
      return alone ?? this.#attempt(group) ?? this.#attemptFresh(group);
    });
  }

  /** What is not stored there, because the view was stale or the thread has ended, is stored here. */
  async #writeThere(
    group: readonly WrittenCommit[],
    thread: GroupStore,
    before: Promise<unknown>,
  ): Promise<readonly CommitOutcome[]> {
    this.#onTheirWay += 1;
    try {
      const { outcomes, events } = this.#translated(() => this.#place(group));
      const isPlain = events.length > 0 && outcomes.every((outcome) => 'events' in outcome);
      const view = this.#tail.timesForgotten;
      const sync = this.#levelOf(group);
      const stored = isPlain ? await this.#storeThere(thread, events, sync) : undefined;
      await before;
      if (stored === undefined) return this.#writeHere(group);
      for (const [i, event] of events.entries())
        sealWith(event, stored.bodyDigests[i] ?? null, stored.chains[i] as string);
      // Whoever has forgotten the view meanwhile has looked at what came after it.
      if (this.#tail.timesForgotten === view) this.#tail.settle(endsOf(events));
      this.#tell(events, sync, stored.lines);
      return outcomes;
    } finally {
      this.#onTheirWay -= 1;
    }
  }

  /** What the thread has sealed the events with; undefined where they have to be stored here. */
  async #storeThere(
    thread: GroupStore,
    events: readonly LedgerEvent[],
    sync: SyncLevel,
  ): Promise<(Seals & Partial<StoreAnswer>) | undefined> {
    try {
      const request = storeRequest(events, sync, this.#tail, this.tables);
      this.#tail.expect(events);
      return await thread.store(request);
    } catch (error) {
      this.#tail.forget();
      if (isKeyTaken(error) || isNotFollowing(error)) return undefined;
      if (!(error instanceof StoreEnded)) throw translateSqliteError(error, this.#options.file);
      const before = (events[0] as LedgerEvent).seq - 1;
      return this.#translated(() => sealsIfSame(events, this.#readRows(before, events.length)));
    }
  }

  #place(group: readonly WrittenCommit[]): PlacedGroup {
    return placeGroup(group, this.#tail, this.#options.clock.now());
  }

  #attemptFresh(
    group: readonly WrittenCommit[],
    change?: (database: Database) => void,
  ): readonly CommitOutcome[] {
    this.#tail.forget();
    return this.#attempt(group, change, true) as readonly CommitOutcome[];
  }

  /** Undefined when the view was stale; then nothing has been kept. */
  #attempt(
    group: readonly WrittenCommit[],
    change?: (database: Database) => void,
    fresh = false,
  ): readonly CommitOutcome[] | undefined {
    this.#begin.run();
    try {
      const { outcomes, events } = this.#place(group);
      if (!fresh && outcomes.some((outcome) => 'error' in outcome)) {
        this.#rollBack();
        return undefined;
      }
      sealEvents(events, this.#tail);
      for (const event of events) {
        this.#insertEvent(event);
        this.tables.apply(event);
      }
      change?.(this.#database);
      this.#end.run();
      if (events.length > 0) this.#tail.advance(endsOf(events));
      this.#tell(events, this.#level);
      return outcomes;
    } catch (error) {
      this.#rollBack();
      if (!fresh && isKeyTaken(error)) return undefined;
      throw error;
    }
  }

  /**
   * The plain step: one event that no table is folded from, in a stream whose end is known. A single statement is then
   * the whole transaction. Undefined when the commit is of another kind, or when the view turns out to be stale.
   */
  #writeAlone(commit: WrittenCommit): readonly CommitOutcome[] | undefined {
    const append = commit.appends[0];
    const event = append?.events[0];
    if (append === undefined || event === undefined || commit.appends.length > 1 || append.events.length > 1)
      return undefined;
    if (!this.#tail.knows(append.stream) || this.tables.folds(event.type)) return undefined;
    const previous = this.#tail.end(append.stream);
    if (append.expectedIndex !== undefined && append.expectedIndex !== previous.index + 1) return undefined;
    const { seq, hash: head } = this.#tail.head;
    placeEvent(event, seq + 1, previous.index + 1, this.#options.clock.now());
    markEnd(event);
    sealEvent(event, previous.chain, head);
    try {
      this.#insertEvent(event);
    } catch (error) {
      if (isKeyTaken(error)) return undefined;
      throw error;
    }
    this.#tail.follow(event);
    this.#tell(append.events, this.#level);
    return [{ events: append.events }];
  }

  #insertEvent(event: LedgerEvent): void {
    insertEvent(this.#insert, this.#tail.idOf(event.stream, this.tables.statements), event);
  }

  #tell(stored: readonly LedgerEvent[], level: SyncLevel, lines?: Uint8Array): void {
    this.#unsynced = level === 'normal';
    if (stored.length > 0) for (const listener of this.#listeners) listener(stored, lines);
  }

  #rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#tail.forget();
  }

  #levelOf(group: readonly WrittenCommit[]): SyncLevel {
    return this.#options.alwaysFull || group.some(({ sync }) => sync === 'full') ? 'full' : 'normal';
  }

  #setLevel(level: SyncLevel): void {
    if (level === this.#level) return;
    this.#database.exec(`PRAGMA synchronous=${level.toUpperCase()}`);
    this.#level = level;
  }

  #translated<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw translateSqliteError(error, this.#options.file);
    }
  }
}

function arrays(statement: Statement): Statement {
  statement.setReturnArrays(true);
  return statement;
}
