import { type BackupManifest, VAULT } from '../../adapters/backup/index.ts';
import type { BackupContents } from '../../api/index.ts';

/** The public description of an archive. */
export function contentsOf(manifest: Omit<BackupManifest, 'format'>): BackupContents {
  const { createdAt, oka, head, entries } = manifest;
  return {
    createdAt,
    oka,
    head,
    files: entries.length,
    blobs: entries.filter(({ path }) => path.startsWith('objects/')).length,
    vault: entries.some(({ path }) => path === VAULT),
  };
}
