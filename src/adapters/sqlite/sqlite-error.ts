import { OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';

const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_ROWID = 2579;
const CONSTRAINT_UNIQUE = 2067;
const KEY_TAKEN: readonly number[] = [CONSTRAINT_PRIMARY_KEY, CONSTRAINT_ROWID, CONSTRAINT_UNIQUE];
const DISK_FULL = 13;
/** The file that processes share could not grow. */
const SHARED_MEMORY_SIZE = 4874;
const NO_SPACE_LEFT = 28;

export interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  readonly errcode: number;
  readonly systemErrno?: number;
}

const BY_PRIMARY_CODE: Readonly<Record<number, readonly [LedgerErrorCode, string]>> = {
  5: ['ledger.busy', 'another process kept the database locked; try again in a moment'],
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

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as Partial<SqliteError>).code === 'ERR_SQLITE_ERROR';
}

/** True when another process has taken the sequence number, or made the stream, that we wanted. */
export function isKeyTaken(error: unknown): boolean {
  return isSqliteError(error) && KEY_TAKEN.includes(error.errcode);
}

/** The driver knows a full disk under several names. */
function primaryCode(error: SqliteError): number {
  const full = error.systemErrno === NO_SPACE_LEFT || error.errcode === SHARED_MEMORY_SIZE;
  return full ? DISK_FULL : error.errcode & 0xff;
}

/** The driver's error in our words; what is not the driver's passes unchanged. */
export function translateSqliteError(error: unknown, file: string): unknown {
  if (!isSqliteError(error)) return error;
  const [code, sentence] = BY_PRIMARY_CODE[primaryCode(error)] ?? ['ledger.unavailable', error.message];
  return new OkaError<LedgerErrorCode>(code, `${file}: ${sentence}.`, {
    data: { file, sqlite: error.errcode, detail: error.message },
    cause: error,
    transient: code === 'ledger.busy',
  });
}
