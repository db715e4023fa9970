import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { requireKnownSchema } from './migrations.ts';
import { openUnchanged } from './open-for-reading.ts';
import { isOpenElsewhere } from './snapshot-database.ts';
import { translateSqliteError } from './sqlite-error.ts';

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
async function freeClosedConnections(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await setImmediate();
}
