import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode, Projection } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { FoldedTables } from './folded-tables.ts';
import { migrate, NEWEST_SCHEMA, schemaVersion } from './migrations.ts';
import {
  type OpenedForReading,
  openCopy,
  openEmpty,
  openReadable,
  readOnlyError,
} from './open-for-reading.ts';
import { translateErrors, translateSqliteError } from './sqlite-error.ts';

/** The first version with the fix for the WAL-reset bug; older ones may lose commits when processes share a file. */
const MIN_SQLITE_VERSION = [3, 51, 3] as const;

/** The settings of every connection to a workspace database. */
const CONNECTION_SETTINGS = `PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF; PRAGMA wal_autocheckpoint=4000;
  PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON`;

export interface OpenOptions {
  readonly file: string;
  readonly now: () => number;
}

/** Opens or creates a workspace database for writing, at the newest schema. Throws OkaErrors. */
export function openDatabase(options: OpenOptions): Database {
  requireWritable(options.file);
  let database: Database | undefined;
  try {
    makePrivateFile(options.file);
    database = new DatabaseSync(options.file);
    database.exec(CONNECTION_SETTINGS);
    migrate(database, options.file, options.now);
    return translateErrors(database, options.file);
  } catch (error) {
    database?.close();
    throw translateSqliteError(error, options.file);
  }
}

/** Removes a database with its log. No process may have it open. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

/** SQLite gives the log the rights of the database, so only the owner reads either. */
function makePrivateFile(file: string): void {
  if (file === ':memory:' || existsSync(file)) return;
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // SQLite reports why the file cannot be made.
  }
}

interface ReadOptions extends OpenOptions {
  readonly projections: readonly Projection[];
  /** Always reads a copy, which the caller may change. */
  readonly copy?: boolean;
}

/**
 * Opens a workspace database for reading, even on a read-only disk. A database with an older schema, or without a table
 * that this version folds, is copied and the copy is migrated: reading never changes the original.
 */
export function openForReading({ file, now, projections, copy = false }: ReadOptions): OpenedForReading {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    return upToDate(openEmpty(file), file, now);
  const opened = openReadable(file, CONNECTION_SETTINGS);
  try {
    const isOlder = schemaVersion(opened.database) < NEWEST_SCHEMA;
    // Rejects a newer schema and migrates a copy.
    if (!isOlder || opened.mode === 'copy') upToDate(opened, file, now);
    const isWhole = !isOlder && new FoldedTables(opened.database, projections).isCurrent();
    if (opened.mode === 'copy' || (isWhole && !copy)) return opened;
    const { refusal } = opened;
    const copied = copyOf(file, opened.database, isWhole);
    opened.database.close();
    return upToDate({ ...copied, ...(refusal && { refusal }) }, file, now);
  } catch (error) {
    if (opened.database.isOpen) opened.database.close();
    opened.discard();
    throw translateSqliteError(error, file);
  }
}

function upToDate(opened: OpenedForReading, file: string, now: () => number): OpenedForReading {
  migrate(opened.database, file, now);
  return opened;
}

function copyOf(file: string, held: Database, isWhole: boolean): OpenedForReading {
  try {
    return openCopy(file, CONNECTION_SETTINGS, held);
  } catch (cause) {
    if (isWhole) throw cause;
    throw new OkaError<LedgerErrorCode>(
      'ledger.needs_migration',
      `${file} was written by an older Oka and needs a migration. Make the disk writable, then run: oka init.`,
      { data: { file, detail: (cause as Error).message }, cause },
    );
  }
}

function requireWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw readOnlyError(file, error);
  }
}

/** The version of SQLite in use. */
export function sqliteVersion(database: Database): string {
  return (database.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version;
}

/** Rejects a SQLite version that may lose data when processes share the file. */
export function requireSafeSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [i, oldest] of MIN_SQLITE_VERSION.entries()) {
    const part = parts[i] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw new OkaError(
        'ledger.unsupported_sqlite',
        `SQLite ${version} may lose data when processes share a file. Version ${MIN_SQLITE_VERSION.join('.')} or newer is required. Run: npm ci.`,
        { data: { version, needed: MIN_SQLITE_VERSION.join('.') } },
      );
    }
  }
}
