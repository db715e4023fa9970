import type { BackupApi } from '../../api/index.ts';
import type { Workbench } from '../services/workbench.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import type { BackupParts } from './verify-copy.ts';

/** Backups of a workspace, made by the process that asks. */
export function openBackups(bench: Workbench, home: string): BackupApi {
  const { clock, folder, ledger, owners, random, redactor, user } = bench;
  const requireWorkspace = () => bench.requireWorkspace();
  const parts: BackupParts = {
    clock,
    folder,
    home,
    ledger,
    owners,
    random,
    redactor,
    requireWorkspace,
    user,
  };
  return {
    create: (request) => createBackup(parts, request),
    verify: (request) => verifyBackup(parts, request),
    restore: (request) => restoreBackup(parts, request),
  };
}
