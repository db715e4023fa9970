import * as z from 'zod';
import { epochMs, fault, flag, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const backupContents = z.object({
  createdAt: epochMs,
  /** The version of Oka that wrote it. */
  oka: text,
  /** The last event of its ledger. */
  head: z.object({ seq: number, hash: text }),
  files: number,
  /** Artifacts among the files. */
  blobs: number,
  /** Whether it contains a vault. Backups never contain the key of the vault. */
  vault: flag,
});
export type BackupContents = TypeOf<typeof backupContents>;

const backupCreateAnswer = backupContents.extend({
  file: text,
  bytes: number,
  /** Files that were left out, and problems of the vault. */
  warnings: list(fault),
});
export type BackupCreateAnswer = TypeOf<typeof backupCreateAnswer>;

const backupVerifyAnswer = z.object({
  ok: flag,
  file: text,
  bytes: number,
  /** Missing when the manifest cannot be read. */
  contents: backupContents.exactOptional(),
  events: number,
  faults: list(fault),
  warnings: list(fault),
});
export type BackupVerifyAnswer = TypeOf<typeof backupVerifyAnswer>;

const backupRestoreAnswer = backupContents.extend({
  workspace: text,
  /** The folder of the replaced workspace. */
  kept: text.exactOptional(),
  warnings: list(fault),
});
export type BackupRestoreAnswer = TypeOf<typeof backupRestoreAnswer>;

export type BackupPhase = 'copy' | 'verify' | 'write' | 'read';

/** `total` is 0 while it is unknown. */
export interface BackupProgress {
  readonly phase: BackupPhase;
  readonly done: number;
  readonly total: number;
}

const backupRequest = z.object({ file: text });
interface BackupRequest extends TypeOf<typeof backupRequest> {
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Aborting stops the operation and removes what it wrote. */
  readonly signal?: AbortSignal;
}

/** Backups: copies of a workspace in one file. */
export interface BackupApi {
  create(request: BackupRequest & { readonly force: boolean }): Promise<BackupCreateAnswer>;
  verify(request: BackupRequest): Promise<BackupVerifyAnswer>;
  /** Restores into the workspace, or into the folder `to`. `replace` moves an existing workspace aside; `mine` treats its ledger as the user's own. */
  restore(
    request: BackupRequest & { readonly to?: string; readonly replace: boolean; readonly mine?: boolean },
  ): Promise<BackupRestoreAnswer>;
}

export const backupSchemas: SchemasOf<BackupApi> = {
  create: [[backupRequest.extend({ force: flag })], backupCreateAnswer],
  verify: [[backupRequest], backupVerifyAnswer],
  restore: [
    [backupRequest.extend({ to: text.exactOptional(), replace: flag, mine: flag.exactOptional() })],
    backupRestoreAnswer,
  ],
};
