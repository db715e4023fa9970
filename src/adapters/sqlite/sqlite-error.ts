import { closeSync, openSync, readSync } from 'node:fs';
import { constants } from 'node:os';
import { isOkaError, OkaError, type SystemErrorCode } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';

const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_ROWID = 2579;
const CONSTRAINT_UNIQUE = 2067;
const KEY_TAKEN: readonly number[] = [CONSTRAINT_PRIMARY_KEY, CONSTRAINT_ROWID, CONSTRAINT_UNIQUE];
export const SQLITE_BUSY = 5;
const DISK_FULL = 13;
const IO_FAILED = 10;
const DAMAGED = 11;
/** The shared-memory file could not grow. */
const SHARED_MEMORY_SIZE = 4874;
/** System errors by number, as the driver reports them. */
const NO_SPACE_LEFT: readonly (number | undefined)[] = [constants.errno.ENOSPC, constants.errno.EDQUOT];
const BAD_DISK: readonly (number | undefined)[] = [constants.errno.EIO, constants.errno.ENXIO];
const TOO_MANY_FILES: readonly (number | undefined)[] = [constants.errno.EMFILE, constants.errno.ENFILE];

interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  /** Not set by every call of the driver. */
  readonly errcode?: number;
  readonly systemErrno?: number;
}

const BY_PRIMARY_CODE: Readonly<Record<number, readonly [LedgerErrorCode, string]>> = {
  [SQLITE_BUSY]: ['ledger.busy', 'another process kept the database locked; try again in a moment'],
  6: ['ledger.busy', 'another process kept the database locked; try again in a moment'],
  8: ['ledger.read_only', 'the database or its folder may not be written; check the permissions'],
  10: ['ledger.unavailable', 'the disk refused to read or write; check the disk'],
  11: ['ledger.damaged', 'the database is damaged; run: oka ledger repair'],
  13: [
    'ledger.disk_full',
    'the disk is full, so nothing was written; free some space and run the command again',
  ],
  14: [
    'ledger.unavailable',
    'the database cannot be opened; check that the folder exists and may be written',
  ],
  26: ['ledger.damaged', 'the file is not a database; run: oka ledger repair'],
};

/** SQLite reports unreadable data on a bad disk as damage, which would make a user rebuild on that disk. */
function whatFailed(error: SqliteError, file: string): number | undefined {
  const code = primaryCode(error);
  return code === DAMAGED && !canBeRead(file) ? IO_FAILED : code;
}

/** Whether the disk can read the whole file. */
function canBeRead(file: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const chunk = Buffer.alloc(1 << 20);
    while (readSync(descriptor, chunk) > 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const TOO_MANY_OPEN: readonly [SystemErrorCode, string] = [
  'system.too_many_files',
  'too many files are open; close other programs or raise the limit with ulimit -n, then run the command again',
];

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as Partial<SqliteError>).code === 'ERR_SQLITE_ERROR';
}

/** True when another process has taken the sequence number or created the stream. */
export function isKeyTaken(error: unknown): boolean {
  return isSqliteError(error) && error.errcode !== undefined && KEY_TAKEN.includes(error.errcode);
}

/** SQLite's messages, for errors without a code. */
const BY_MESSAGE: Readonly<Record<string, number>> = {
  'attempt to write a readonly database': 8,
  'database disk image is malformed': DAMAGED,
  'database is locked': 5,
  'database or disk is full': DISK_FULL,
  'database table is locked': 6,
  'disk I/O error': IO_FAILED,
  'file is not a database': 26,
  'unable to open database file': 14,
};

/** The driver reports a full disk with several codes. */
function primaryCode({ errcode, systemErrno, message }: SqliteError): number | undefined {
  if (systemErrno !== undefined && NO_SPACE_LEFT.includes(systemErrno)) return DISK_FULL;
  if (systemErrno !== undefined && BAD_DISK.includes(systemErrno)) return IO_FAILED;
  if (errcode === SHARED_MEMORY_SIZE) return DISK_FULL;
  return errcode === undefined ? BY_MESSAGE[message] : errcode & 0xff;
}

/** Translates a driver error to an OkaError; other errors pass unchanged. */
export function translateSqliteError(error: unknown, file: string): unknown {
  if (!isSqliteError(error)) return error;
  return toOkaError(error, file, refusalOf(error, file) ?? ['ledger.unavailable', error.message]);
}

/** As above, but constraint and SQL errors stay unchanged: they concern the query, not the disk. */
function translateRefusal(error: unknown, file: string): unknown {
  const refusal = isSqliteError(error) ? refusalOf(error, file) : undefined;
  return refusal ? toOkaError(error as SqliteError, file, refusal) : error;
}

/** Runs `work` and translates its errors. */
export function translating<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error, file);
  }
}

/** SQLite's primary result code of an error; 0 if it has none. */
export function primaryCodeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

type Refusal = readonly [code: LedgerErrorCode | SystemErrorCode, sentence: string];

function refusalOf(error: SqliteError, file: string): Refusal | undefined {
  if (error.systemErrno !== undefined && TOO_MANY_FILES.includes(error.systemErrno)) return TOO_MANY_OPEN;
  return BY_PRIMARY_CODE[whatFailed(error, file) ?? 0];
}

function toOkaError(error: SqliteError, file: string, [code, sentence]: Refusal): OkaError {
  return new OkaError(code, `${file}: ${sentence}.`, {
    data: { file, sqlite: error.errcode ?? null, detail: error.message },
    cause: error,
    transient: code === 'ledger.busy',
  });
}

const REFUSALS: ReadonlySet<string> = new Set<LedgerErrorCode>([
  'ledger.read_only',
  'ledger.disk_full',
  'ledger.unavailable',
]);

/** True when the disk refused access, so that another way to read may still work. */
export function isDiskRefusal(error: unknown): boolean {
  return isOkaError(error) && REFUSALS.has(error.code);
}

const STATEMENT_METHODS = ['run', 'get', 'all'] as const;

/** Makes a connection throw OkaErrors for errors of the disk and locks of other processes. */
export function translateErrors(database: Database, file: string): Database {
  const translated = <Given extends unknown[], Answer>(call: (...given: Given) => Answer) => {
    return (...given: Given): Answer => {
      try {
        return call(...given);
      } catch (error) {
        throw translateRefusal(error, file);
      }
    };
  };
  const prepare = translated(database.prepare.bind(database));
  replace(database, 'exec', translated(database.exec.bind(database)));
  replace(database, 'prepare', (...given: Parameters<typeof prepare>): Statement => {
    const statement = prepare(...given);
    for (const name of STATEMENT_METHODS)
      replace(
        statement,
        name,
        translated((statement[name] as (...values: never[]) => unknown).bind(statement)),
      );
    return statement;
  });
  return database;
}

/** The driver's methods are read-only, so an own property shadows them. */
function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value });
}
