import { isOkaError, OkaError } from '../../kernel/index.ts';

/** Codes of errors about backup archives. */
export type BackupErrorCode =
  | 'backup.exists'
  | 'backup.inside_workspace'
  | 'backup.not_found'
  | 'backup.damaged'
  | 'backup.newer_format'
  | 'backup.source_damaged'
  | 'backup.source_changed'
  | 'backup.workspace_exists'
  | 'backup.in_use'
  | 'backup.disk_full'
  | 'backup.cancelled';

/** What is wrong with a part of an archive. */
export interface BackupFault {
  readonly where: string;
  readonly what: string;
}

/** Limits the report about an archive that is damaged from its beginning. */
const MAX_FAULTS = 100;

/** Collects faults up to a limit. */
export class FaultList {
  readonly #faults: BackupFault[] = [];
  #more = 0;

  add(where: string, what: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ where, what });
    else this.#more += 1;
  }

  list(): readonly BackupFault[] {
    if (this.#more === 0) return this.#faults;
    return [...this.#faults, { where: 'archive', what: `has ${this.#more} more faults` }];
  }
}

/** Reports a full disk with the file that it stopped; other errors pass unchanged. */
export function toBackupError(error: unknown, file: string): unknown {
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return new OkaError<BackupErrorCode>('backup.cancelled', 'Cancelled.');
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || isOkaError(error, 'ledger.disk_full');
  return isFull ? diskFull(file, error) : error;
}

export function diskFull(file: string, cause?: unknown): OkaError<BackupErrorCode> {
  return new OkaError(
    'backup.disk_full',
    `Cannot write ${file}: the disk is full. Free some space, or choose a folder on another disk.`,
    { data: { file }, cause },
  );
}
