import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DatabaseSync } from '@photostructure/sqlite';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { requireKnownSchema } from './migrations.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** Reads a database on a connection of its own, in one consistent view, while other processes write. Never writes. */
export async function readSnapshot<T>(file: string, read: (database: Database) => Promise<T>): Promise<T> {
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    database.exec('PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF; BEGIN');
    // A transaction takes its view with the first read.
    requireKnownSchema(database, file);
    return await read(database);
  } catch (error) {
    throw translateSqliteError(error, file);
  } finally {
    database?.close();
    await freeClosedConnections();
  }
}

/** Throws `ledger.busy` where another process has the database open. A file that is no database is nobody's. */
export async function requireAlone(file: string): Promise<void> {
  await freeClosedConnections();
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file);
    // In this mode the first transaction needs the file to itself.
    database.exec('PRAGMA busy_timeout=1000; PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    const translated = translateSqliteError(error, file);
    if (isOkaError(translated, 'ledger.busy'))
      throw new OkaError<LedgerErrorCode>(
        'ledger.busy',
        'Another process uses this workspace. Stop the daemon with oka down, end other oka commands, and try again.',
        { cause: error },
      );
  } finally {
    database?.close();
  }
}

/**
 * The driver frees a closed connection only when its statements are collected. Until then it counts as a user of the file,
 * and when it is freed after the file was replaced, SQLite removes the write-ahead log of the new one.
 */
async function freeClosedConnections(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await setImmediate();
}
