import { accessSync, constants } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { OkaError } from '../../kernel/index.ts';
import type { Database } from './driver.ts';
import { migrate } from './migrations.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** The WAL-reset fault was mended in this version; older ones may lose commits when processes share a file. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** What every connection to the database of a workspace begins with. */
export const CONNECTION_SETTINGS = `PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF; PRAGMA wal_autocheckpoint=4000;
  PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON`;

export interface OpenOptions {
  readonly file: string;
  readonly now: () => number;
}

/** Opens or creates the database of a workspace at the newest schema. Throws in our words. */
export function openDatabase(options: OpenOptions): Database {
  requireWritable(options.file);
  let database: Database | undefined;
  try {
    database = new DatabaseSync(options.file);
    database.exec(CONNECTION_SETTINGS);
    migrate(database, options.file, options.now);
    return database;
  } catch (error) {
    database?.close();
    throw translateSqliteError(error, options.file);
  }
}

function requireWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new OkaError(
      'ledger.read_only',
      `${file}: the database may not be written; check its permissions.`,
      { data: { file }, cause: error },
    );
  }
}

/** The version of SQLite in use. */
export function sqliteVersion(database: Database): string {
  return (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version;
}

/** Refuses a SQLite that may lose data when processes share the file. */
export function requireSafeSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [i, oldest] of OLDEST_SQLITE.entries()) {
    const part = parts[i] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw new OkaError(
        'ledger.unsupported_sqlite',
        `SQLite ${version} may lose data when processes share a file; version ${OLDEST_SQLITE.join('.')} or newer is needed. Run: npm ci.`,
        { data: { version, needed: OLDEST_SQLITE.join('.') } },
      );
    }
  }
}
