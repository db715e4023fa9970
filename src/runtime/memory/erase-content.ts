import { ensureMemoryIndex } from '../../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** What erasing needs of the workspace; a `Workbench` has it all. */
export interface ErasureBench {
  readonly folder: Pick<WorkspaceFolder, 'discardBackups'>;
  /** Takes what was erased out of what was made of it. */
  readonly afterErasure?: (events: readonly EventAddress[]) => Promise<void>;
}

/** Takes the content of events away wherever it stands: table, indexes, mirror, kept databases. */
export async function eraseContent(
  { folder, afterErasure }: ErasureBench,
  ledger: OpenLedger,
  {
    events,
    by,
    reason,
  }: { readonly events: readonly EventAddress[]; readonly by: string; readonly reason: string },
): Promise<void> {
  // Refuses here, before anything is erased, where it cannot be taken out of the mirror now.
  await ledger.mirror.settle();
  ensureMemoryIndex(ledger.database);
  folder.discardBackups();
  ledger.archive.erase(events, by, reason);
  await ledger.settleErasure();
  await afterErasure?.(events);
}
