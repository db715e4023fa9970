import type { EpochMs } from '../kernel/index.ts';

/** Something in a backup that does not hold or is missing, and where. */
export interface BackupNote {
  readonly where: string;
  readonly what: string;
}

/** What a backup holds. */
export interface BackupContents {
  readonly createdAt: EpochMs;
  /** The version of Oka that wrote it. */
  readonly oka: string;
  /** The last event of its ledger. */
  readonly head: { readonly seq: number; readonly hash: string };
  readonly files: number;
  /** Artifacts among the files. */
  readonly blobs: number;
  /** Whether it holds a vault. The key of the vault is never in a backup. */
  readonly vault: boolean;
}

export interface BackupCreateAnswer extends BackupContents {
  readonly file: string;
  readonly bytes: number;
  /** What was left out, and what is wrong with the vault. */
  readonly warnings: readonly BackupNote[];
}

export interface BackupVerifyAnswer {
  readonly ok: boolean;
  readonly file: string;
  readonly bytes: number;
  /** Missing when the manifest cannot be read. */
  readonly contents?: BackupContents;
  readonly events: number;
  readonly faults: readonly BackupNote[];
  readonly warnings: readonly BackupNote[];
}

export interface BackupRestoreAnswer extends BackupContents {
  readonly workspace: string;
  /** Where the workspace that was replaced is kept. */
  readonly kept?: string;
  readonly warnings: readonly BackupNote[];
}

export type BackupPhase = 'copy' | 'verify' | 'write' | 'read';

/** How far a backup is; `total` is 0 while it is not known. */
export interface BackupProgress {
  readonly phase: BackupPhase;
  readonly done: number;
  readonly total: number;
}

interface BackupRequest {
  /** The archive. */
  readonly file: string;
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Aborted: stops and removes what was written so far. */
  readonly signal?: AbortSignal;
}

/** Copies of a workspace in one file. */
export interface BackupApi {
  create(request: BackupRequest & { readonly force: boolean }): Promise<BackupCreateAnswer>;
  verify(request: BackupRequest): Promise<BackupVerifyAnswer>;
  /** Restores into the workspace, or into the folder `to`. With `replace` a workspace that is there is kept aside. */
  restore(
    request: BackupRequest & { readonly to?: string; readonly replace: boolean },
  ): Promise<BackupRestoreAnswer>;
}
