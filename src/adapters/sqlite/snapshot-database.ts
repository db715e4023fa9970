import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { backup, DatabaseSync } from '@photostructure/sqlite';
import { OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';
import { type Database, endRead } from './driver.ts';
import { requireKnownSchema, schemaVersion } from './migrations.ts';
import { openUnchanged } from './open-for-reading.ts';
import { primaryCodeOf, SQLITE_BUSY, translateSqliteError, translating } from './sqlite-error.ts';

/** Small enough for frequent progress reports, large enough not to slow down the copy. */
const PAGES_PER_STEP = 1_024;

/** A consistent view of a database that stays readable while other processes write. */
interface DatabaseSnapshot {
  readonly schema: number;
  /** Copies this view of the database to a new file. */
  copyTo(file: string, onProgress: (done: number, total: number) => void): Promise<void>;
  close(): void;
}

/**
 * Pins the current state of the database at `file`. The copy uses SQLite's online backup inside one read transaction:
 * without it, the backup restarts at every commit of another process and may never end. `VACUUM INTO` would renumber
 * rowids, which the memory index refers to. A reader never blocks a writer in WAL mode.
 */
export function pinDatabase(file: string): DatabaseSnapshot {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF; BEGIN');
    // The transaction starts with its first read.
    const schema = schemaVersion(database);
    database.prepare('SELECT max(seq) FROM events').get();
    return {
      schema,
      copyTo: async (target, onProgress) => {
        const progress = (pages: { totalPages: number; remainingPages: number }): void =>
          onProgress(pages.totalPages - pages.remainingPages, pages.totalPages);
        try {
          await backup(database, target, { rate: PAGES_PER_STEP, progress });
        } catch (error) {
          throw translateSqliteError(error, target);
        }
      },
      close: () => {
        endRead(database);
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw translateSqliteError(error, file);
  }
}

/** Runs `work`, which must be synchronous, while no other process can write the database. */
export function withWriteLock<T>(database: Database, file: string, work: () => T): T {
  translating(file, () => database.exec('BEGIN IMMEDIATE'));
  try {
    return work();
  } finally {
    database.exec('ROLLBACK');
  }
}

/** Removes the leases from a copy: they name processes of the original workspace. */
export function dropLeases(file: string): void {
  const database = new DatabaseSync(file);
  try {
    const sql =
      'PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON; DELETE FROM leases; PRAGMA wal_checkpoint(TRUNCATE)';
    translating(file, () => database.exec(sql));
  } finally {
    database.close();
  }
}

/** Whether content was removed from the ledger after an event. */
export function hasErasedSince(database: Database, seq: number): boolean {
  const sql = `SELECT 1 FROM events WHERE seq > ? AND type IN ('body.erased', 'stream.archived') LIMIT 1`;
  return database.prepare(sql).get(seq) !== undefined;
}

/** Whether another process has the database open. False for a file that is not a database. */
export function isOpenElsewhere(file: string): boolean {
  if (!existsSync(file)) return false;
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file);
    // In this mode the first read locks the file exclusively. A prepared statement would keep it open.
    database.exec(
      'PRAGMA busy_timeout=1000; PRAGMA locking_mode=EXCLUSIVE; SELECT count(*) FROM sqlite_schema',
    );
    return false;
  } catch (error) {
    return primaryCodeOf(error) === SQLITE_BUSY;
  } finally {
    database?.close();
  }
}

/**
 * Reads a database on its own connection, in one consistent view, while other processes write. Never writes, and works on
 * a read-only disk. `incomplete` explains why the newest events may be missing.
 */
export async function readSnapshot<T>(
  file: string,
  read: (database: Database, incomplete: string | undefined) => Promise<T>,
): Promise<T> {
  const opened = openUnchanged(file);
  try {
    opened.database.exec('BEGIN');
    // The view of a transaction starts with its first read.
    requireKnownSchema(opened.database, file);
    return await read(opened.database, opened.incomplete);
  } catch (error) {
    throw translateSqliteError(error, file);
  } finally {
    endRead(opened.database);
    opened.database.close();
    opened.discard();
    await freeClosedConnections();
  }
}

/** Throws `ledger.busy` if another process has the database open. */
export async function requireExclusive(file: string): Promise<void> {
  await freeClosedConnections();
  if (!isOpenElsewhere(file)) return;
  throw new OkaError<LedgerErrorCode>(
    'ledger.busy',
    'Another process uses this workspace. Stop the daemon with oka down, stop other oka commands, and try again.',
    { data: { file } },
  );
}

/**
 * The driver frees a closed connection only when its statements are garbage-collected. Until then it counts as a user of
 * the file, and if it is freed after the file was replaced, SQLite removes the write-ahead log of the new one.
 */
export async function freeClosedConnections(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await setImmediate();
}
