import type { BackupApi } from '../../api/index.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import type { BackupParts } from './verify-copy.ts';

/** Backups of a workspace, made by the calling process. */
export function openBackups(services: BackupParts): BackupApi {
  return {
    create: (request) => createBackup(services, request),
    verify: (request) => verifyBackup(services, request),
    restore: (request) => restoreBackup(services, request),
  };
}
