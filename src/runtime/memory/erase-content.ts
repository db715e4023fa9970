import { ensureMemoryIndex } from '../../adapters/sqlite/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

export type ErasureServices = {
  readonly folder: Pick<WorkspaceServices['folder'], 'discardBackups' | 'noteErasure'>;
} & Partial<Pick<WorkspaceServices, 'afterErasure'>>;

/** Erases the content of events everywhere: table, indexes, mirror, retained databases. */
export async function eraseContent(
  { folder, afterErasure }: ErasureServices,
  ledger: OpenLedger,
  {
    events,
    by,
    reason,
  }: { readonly events: readonly EventAddress[]; readonly by: string; readonly reason: string },
): Promise<void> {
  // Fails before anything is erased if the mirror cannot be rewritten now.
  await ledger.mirror.settle();
  ensureMemoryIndex(ledger.database);
  folder.discardBackups();
  const finished = folder.noteErasure(events);
  await ledger.archive.erase(events, by, reason);
  await ledger.settleErasure();
  await afterErasure?.(events);
  finished();
}
