// Owns: the one write path. Does not own: sealing (ledger) or what tables mean (projections).
// I1 Events and the tables folded from them are one transaction.
// I2 A taken sequence number means that the cached tail is stale: the attempt is rolled back and repeated.
// I3 A commit is rejected only after the tail was read inside its own transaction.
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
  type Projection,
  placeGroup,
  type StreamEnd,
  type SyncLevel,
  sealEvents,
  type WrittenCommit,
  writeOutCommit,
} from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import { EVENT_COLUMNS, type EventRow, INSERT_EVENT, insertEvent, toEvent } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';
import { LedgerTail } from './ledger-tail.ts';
import { isKeyTaken, translateSqliteError } from './sqlite-error.ts';

const SALT_BYTES = 16;

/** Errors of a process that may not write the log, and so has nothing unsynced in it. */
const NO_WRITE_CODES: readonly string[] = ['ENOENT', 'EROFS', 'EACCES', 'EPERM'];

export interface SqliteEventStoreOptions {
  readonly database: Database;
  readonly file: string;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly random: Random;
  readonly alwaysFull?: boolean;
}

/** `isSynced`: the events are on disk, and their commit is acknowledged after the listeners. */
type StoredListener = (events: readonly LedgerEvent[], isSynced: boolean) => void;

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
  #level: SyncLevel = 'normal';
  #unsynced = false;
  #readStream: Statement | undefined;
  #readAll: Statement | undefined;
  #readSome: Statement | undefined;

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

  async commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    return this.#queue.push(writeOutCommit(commit, this.#newSalt));
  }

  waitForCapacity(): Promise<void> | undefined {
    return this.#queue.waitForCapacity();
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

  /** Up to `limit` events of these streams after `seq`, in order. */
  async readStreams(streams: readonly string[], seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    return this.#translated(() => {
      this.#readSome ??= arrays(
        this.#database.prepare(
          `SELECT ${EVENT_COLUMNS} FROM json_each(?) AS one JOIN streams s ON s.name = one.value
           JOIN events e ON e.stream_id = s.id WHERE e.seq > ? ORDER BY e.seq LIMIT ?`,
        ),
      );
      return (this.#readSome.all(JSON.stringify(streams), seq, limit) as unknown as EventRow[]).map(toEvent);
    });
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

  /** Syncs everything that any process has committed. */
  async makeDurable(): Promise<void> {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(`${this.#options.file}-wal`, 'r+');
      fdatasyncSync(descriptor);
      this.#unsynced = false;
    } catch (error) {
      if (!NO_WRITE_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Stores all pending commits, then rejects new ones. */
  async close(): Promise<void> {
    await this.#queue.close();
    await this.sync();
  }

  /** Rewrites stored rows in one synced transaction with the events that record it. */
  rewrite(commit: Commit, change: (database: Database) => void): readonly LedgerEvent[] {
    const [outcome] = this.#translated(() => {
      this.#setLevel('full');
      return this.#attemptFresh([writeOutCommit(commit, this.#newSalt)], change);
    });
    if (outcome && 'events' in outcome) return outcome.events;
    throw (outcome as { error: unknown }).error;
  }

  #write(group: readonly WrittenCommit[]): readonly CommitOutcome[] {
    return this.#translated(() => {
      const isFull = this.#options.alwaysFull || group.some(({ sync }) => sync === 'full');
      this.#setLevel(isFull ? 'full' : 'normal');
      return this.#attempt(group) ?? this.#attemptFresh(group);
    });
  }

  #attemptFresh(
    group: readonly WrittenCommit[],
    change?: (database: Database) => void,
  ): readonly CommitOutcome[] {
    this.#tail.forget();
    return this.#attempt(group, change, true) as readonly CommitOutcome[];
  }

  /** Stores a group in one transaction. Undefined when the cached tail was stale; then nothing is stored. */
  #attempt(
    group: readonly WrittenCommit[],
    change?: (database: Database) => void,
    fresh = false,
  ): readonly CommitOutcome[] | undefined {
    this.#begin.run();
    try {
      const { outcomes, events } = placeGroup(group, this.#tail, this.#options.clock.now());
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
      this.#notify(events);
      return outcomes;
    } catch (error) {
      this.#rollBack();
      if (!fresh && isKeyTaken(error)) return undefined;
      throw error;
    }
  }

  #insertEvent(event: LedgerEvent): void {
    insertEvent(this.#insert, this.#tail.idOf(event.stream, this.tables.statements), event);
  }

  #notify(stored: readonly LedgerEvent[]): void {
    this.#unsynced = this.#level === 'normal';
    if (stored.length > 0) for (const listener of this.#listeners) listener(stored, !this.#unsynced);
  }

  #rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#tail.forget();
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
