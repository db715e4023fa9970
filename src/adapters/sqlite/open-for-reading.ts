// Owns: opening a database for reading, even on a read-only disk. See docs/adr/0028.
// I1 The file and its folder do not change: no migration, no new table. Only a shared connection on a writable disk has the
//    two files that SQLite needs next to it while it is open.
// I2 All commits are visible. If that is not certain, `incomplete` explains why.
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { isDiskRefusal, translateErrors, translateSqliteError } from './sqlite-error.ts';

/**
 * How a database was opened for reading:
 * - `shared`: a regular connection, which may also write;
 * - `read_only`: sees new commits, and cannot write;
 * - `frozen`: the file alone, when no other process can have it open;
 * - `copy`: a copy in the system's temporary folder;
 * - `empty`: there is no file yet.
 */
type ReadingMode = 'shared' | 'read_only' | 'frozen' | 'copy' | 'empty';

export interface OpenedForReading {
  readonly database: Database;
  readonly mode: ReadingMode;
  /** Why the newest commits may be missing. */
  readonly incomplete?: string;
  /** Why it could not be opened as usual. */
  readonly refusal?: OkaError;
  /** Removes the copy, if any, after the database is closed. */
  discard(): void;
}

const READING_SETTINGS = 'PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF';
const COPY_ATTEMPTS = 3;
const NOTHING_TO_DISCARD = (): void => undefined;

/** Prefix of copies; the process ID in the name tells whether the copy is still in use. */
const COPY_PREFIX = 'oka-read-';

/**
 * Opens a database for reading, with a writable connection if the disk allows it. Works around a read-only disk; throws
 * OkaErrors for damage and locks.
 */
export function openReadable(file: string, settings: string): OpenedForReading {
  const shared = attempt(file, () => connect(file, file, settings, accessible(file)));
  if (!(shared instanceof OkaError)) return { database: shared, mode: 'shared', discard: NOTHING_TO_DISCARD };
  const log = sizeOf(`${file}-wal`);
  const readOnly = log === undefined ? undefined : openReadOnly(file);
  return readOnly instanceof OkaError || readOnly === undefined
    ? openWithoutLock(file, settings, shared)
    : { database: readOnly, mode: 'read_only', refusal: shared, discard: NOTHING_TO_DISCARD };
}

/** Opens a database with a read-only connection: closing it leaves the file and its log unchanged. */
export function openUnchanged(file: string): OpenedForReading {
  const readOnly = openReadOnly(file);
  return readOnly instanceof OkaError
    ? openWithoutLock(file, READING_SETTINGS, readOnly)
    : { database: readOnly, mode: 'read_only', discard: NOTHING_TO_DISCARD };
}

function openReadOnly(file: string): Database | OkaError {
  return attempt(file, () => connect(file, file, READING_SETTINGS, { readOnly: true }));
}

/** Opens the file alone, or a copy of it and its log, if SQLite cannot create its shared-memory file. */
function openWithoutLock(file: string, settings: string, refusal: OkaError): OpenedForReading {
  const log = sizeOf(`${file}-wal`);
  const frozen = (): OpenedForReading => {
    const database = attempt(file, () =>
      connect(frozenAddress(file), file, READING_SETTINGS, { readOnly: true }),
    );
    // The first error describes the disk best.
    if (database instanceof OkaError) throw refusal;
    return { database, mode: 'frozen', refusal, discard: NOTHING_TO_DISCARD };
  };
  if (log === undefined || log === 0) return frozen();
  try {
    return { ...openCopy(file, settings), refusal };
  } catch (error) {
    const incomplete = `the newest events may be missing: ${basename(file)}-wal cannot be read here, and no copy could be made in ${tmpdir()} (${(error as Error).message})`;
    return { ...frozen(), incomplete };
  }
}

/** Opens a copy of the database, which the caller may change. `held` locks the original meanwhile. */
export function openCopy(file: string, settings: string, held?: Database): OpenedForReading {
  const folder = mkdtempSync(join(tmpdir(), `${COPY_PREFIX}${process.pid}-`));
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = copyInto(folder, file, held);
    const database = connect(copy, file, settings, {});
    return { database, mode: 'copy', discard };
  } catch (error) {
    discard();
    throw translateSqliteError(error, file);
  }
}

/** An in-memory database for a workspace that has none yet. */
export function openEmpty(file: string): OpenedForReading {
  const database = translateErrors(new DatabaseSync(':memory:'), file);
  return { database, mode: 'empty', discard: NOTHING_TO_DISCARD };
}

/** The database, or the disk's error. */
function attempt(file: string, open: () => Database): Database | OkaError {
  try {
    return open();
  } catch (error) {
    const translated = translateSqliteError(error, file);
    if (isOkaError(translated) && isDiskRefusal(translated)) return translated;
    throw translated;
  }
}

function connect(
  address: string,
  file: string,
  settings: string,
  options: { readonly readOnly?: boolean },
): Database {
  const database = new DatabaseSync(address, options);
  try {
    database.exec(settings);
    // SQLite opens files on the first read.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return translateErrors(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite would silently open a file without write permission as read-only. */
function accessible(file: string): { readonly readOnly?: boolean } {
  try {
    accessSync(file, constants.W_OK);
    return {};
  } catch (cause) {
    throw readOnlyError(file, cause);
  }
}

/** The error for a file that may not be written. */
export function readOnlyError(file: string, cause: unknown): OkaError<LedgerErrorCode> {
  const { code } = cause as NodeJS.ErrnoException;
  const what =
    code === 'EROFS'
      ? 'the file system is read-only; choose another folder with -C, or mount it for writing'
      : 'the database may not be written; check its permissions';
  return new OkaError('ledger.read_only', `${file}: ${what}.`, {
    data: { file, system: code ?? null },
    cause,
  });
}

/** SQLite treats the file as immutable and needs no other file for it. */
function frozenAddress(file: string): string {
  return `${pathToFileURL(file).href}?immutable=1`;
}

/**
 * Copies the file, then its log. A reader prevents a checkpoint from emptying the log, so that everything written to the
 * file meanwhile is in the log as well. Without a reader, both must stay unchanged while they are copied.
 */
function copyInto(folder: string, file: string, held: Database | undefined): string {
  const copy = join(folder, basename(file));
  for (let i = 1; ; i++) {
    const before = stampOf(file);
    held?.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    try {
      for (const tail of ['', '-wal']) {
        if (!existsSync(file + tail)) continue;
        copyFileSync(file + tail, copy + tail);
        chmodSync(copy + tail, 0o600);
      }
    } finally {
      held?.exec('ROLLBACK');
    }
    if (held !== undefined || stampOf(file) === before) return copy;
    if (i === COPY_ATTEMPTS)
      throw new OkaError(
        'ledger.busy',
        `${file}: another process keeps changing it. Try again in a moment.`,
        {
          data: { file },
          transient: true,
        },
      );
  }
}

function stampOf(file: string): string {
  return ['', '-wal']
    .map((tail) => {
      const found = statSync(file + tail, { throwIfNoEntry: false });
      return `${found?.size} ${found?.mtimeMs}`;
    })
    .join(' ');
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
