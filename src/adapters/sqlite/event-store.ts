// Owns: the one write path. Does not own: sealing (ledger) or what tables mean (projections).
// I1 Events and the tables folded from them are one transaction.
// I2 A sequence number that is taken means that our view is stale: nothing of the attempt is kept, and it is made again.
// I3 A commit is refused only on a view that was read inside its own transaction.
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { Clock, Random } from '../../kernel/index.ts';
import {
  type Commit,
  type CommitOutcome,
  CommitQueue,
  type EventStore,
  type LedgerEvent,
  type LedgerHead,
  type Projection,
  type StreamEnd,
  type SyncLevel,
  sealEvent,
  sealGroup,
} from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import { EVENT_COLUMNS, type EventRow, toEvent } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';
import { LedgerTail } from './ledger-tail.ts';
import { isKeyTaken, translateSqliteError } from './sqlite-error.ts';

const SALT_BYTES = 16;

export interface SqliteEventStoreOptions {
  readonly database: Database;
  readonly file: string;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly random: Random;
  readonly alwaysFull?: boolean;
}

export class SqliteEventStore implements EventStore {
  readonly tables: FoldedTables;
  readonly #database: Database;
  readonly #options: SqliteEventStoreOptions;
  readonly #tail: LedgerTail;
  readonly #queue = new CommitQueue((group) => this.#writeGroup(group));
  readonly #listeners = new Set<(events: readonly LedgerEvent[]) => void>();
  readonly #newSalt: () => string;
  readonly #begin: Statement;
  readonly #insert: Statement;
  readonly #end: Statement;
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
    this.#insert = this.#database.prepare(
      `INSERT INTO events (seq, stream_id, idx, at, type, actor, ends, chain, salt, body_digest, data, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    return this.#queue.push(commit);
  }

  read(stream: string, fromIndex = 0): Promise<readonly LedgerEvent[]> {
    this.#readStream ??= arrays(
      this.#database.prepare(
        `SELECT ${EVENT_COLUMNS} FROM streams s JOIN events e ON e.stream_id = s.id
         WHERE s.name = ? AND e.idx >= ? ORDER BY e.idx`,
      ),
    );
    return this.#query(this.#readStream, stream, fromIndex);
  }

  readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    this.#readAll ??= arrays(
      this.#database.prepare(
        `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id WHERE e.seq > ? ORDER BY e.seq LIMIT ?`,
      ),
    );
    return this.#query(this.#readAll, seq, limit);
  }

  async end(stream: string): Promise<StreamEnd> {
    return this.#translated(() => new LedgerTail(this.#database).end(stream));
  }

  async head(): Promise<LedgerHead> {
    return this.#translated(() => new LedgerTail(this.#database).head);
  }

  subscribe(listener: (events: readonly LedgerEvent[]) => void): () => void {
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
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Answers everything handed in so far, then refuses more. */
  async close(): Promise<void> {
    await this.#queue.close();
    await this.sync();
  }

  /** Runs housekeeping that rewrites stored rows inside one synced transaction, beside the events that announce it. */
  rewrite(commit: Commit, change: (database: Database) => void): readonly LedgerEvent[] {
    const [outcome] = this.#writeGroup([commit], change);
    if (outcome && 'events' in outcome) return outcome.events;
    throw (outcome as { error: unknown }).error;
  }

  #writeGroup(group: readonly Commit[], change?: (database: Database) => void): readonly CommitOutcome[] {
    try {
      this.#setLevel(
        this.#options.alwaysFull || group.some((member) => member.sync === 'full') ? 'full' : 'normal',
      );
      const alone =
        change === undefined && group.length === 1 ? this.#writeAlone(group[0] as Commit) : undefined;
      return alone ?? this.#attempt(group, change) ?? this.#attemptFresh(group, change);
    } catch (error) {
      throw translateSqliteError(error, this.#options.file);
    }
  }

  #attemptFresh(group: readonly Commit[], change?: (database: Database) => void): readonly CommitOutcome[] {
    this.#tail.forget();
    return this.#attempt(group, change, true) as readonly CommitOutcome[];
  }

  /** Undefined when the view was stale; then nothing has been kept. */
  #attempt(
    group: readonly Commit[],
    change?: (database: Database) => void,
    fresh = false,
  ): readonly CommitOutcome[] | undefined {
    this.#begin.run();
    try {
      const sealed = sealGroup(group, this.#tail, { at: this.#options.clock.now(), newSalt: this.#newSalt });
      if (sealed.anyRefused && !fresh) {
        this.#rollBack();
        return undefined;
      }
      const stored: LedgerEvent[] = [];
      const outcomes = sealed.outcomes.map((outcome): CommitOutcome => {
        if ('refused' in outcome) return { error: outcome.refused };
        for (const event of outcome.events) {
          this.#insertEvent(event);
          this.tables.apply(event);
        }
        stored.push(...outcome.events);
        return { events: outcome.events };
      });
      change?.(this.#database);
      this.#end.run();
      this.#tail.advance(sealed.head, sealed.ends);
      this.#tell(stored);
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
  #writeAlone(commit: Commit): readonly CommitOutcome[] | undefined {
    const append = commit.appends[0];
    const draft = append?.events[0];
    if (append === undefined || draft === undefined || commit.appends.length > 1 || append.events.length > 1)
      return undefined;
    if (!this.#tail.knows(append.stream) || this.tables.folds(draft.type)) return undefined;
    const previous = this.#tail.end(append.stream);
    if (append.expectedIndex !== undefined && append.expectedIndex !== previous.index + 1) return undefined;
    const { seq, hash: head } = this.#tail.head;
    const event = sealEvent(draft, {
      seq: seq + 1,
      stream: append.stream,
      previous,
      head,
      at: this.#options.clock.now(),
      actor: commit.actor,
      ends: true,
      newSalt: this.#newSalt,
    });
    try {
      this.#insertEvent(event);
    } catch (error) {
      if (isKeyTaken(error)) return undefined;
      throw error;
    }
    this.#tail.follow(event);
    const events = [event];
    this.#tell(events);
    return [{ events }];
  }

  #insertEvent(event: LedgerEvent): void {
    this.#insert.run(
      event.seq,
      this.#tail.idOf(event.stream),
      event.index,
      event.at,
      event.type,
      event.actor,
      event.ends ? 1 : 0,
      event.chain,
      event.salt,
      event.bodyDigest,
      event.dataText,
      event.bodyText,
    );
  }

  #tell(stored: readonly LedgerEvent[]): void {
    this.#unsynced = this.#level === 'normal';
    if (stored.length > 0) for (const listener of this.#listeners) listener(stored);
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

  async #query(
    statement: Statement,
    ...parameters: readonly (number | string)[]
  ): Promise<readonly LedgerEvent[]> {
    return this.#translated(() => (statement.all(...parameters) as unknown as EventRow[]).map(toEvent));
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
