import { LedgerView, readSnapshot, SqliteTables } from '../../adapters/sqlite/index.ts';
import { compareMirror, readLines, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { Fault } from '../../api/index.ts';
import { counting, isOkaError } from '../../kernel/index.ts';
import { checkDatabase } from '../ledger/check-database.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { vaultFaults } from '../vault/vault.ts';

export type BackupParts = Pick<
  WorkspaceServices,
  'clock' | 'folder' | 'home' | 'ledger' | 'owners' | 'random' | 'redactor' | 'requireWorkspace' | 'user'
>;

export interface CopyReport {
  readonly events: number;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly faults: readonly Fault[];
  /** Problems of the vault; the ledger is complete without it. */
  readonly warnings: readonly Fault[];
}

/**
 * Verifies the ledger in a copy of a workspace: file, chain, folded tables, mirror. The copy may have been written by anybody,
 * so whatever goes wrong in it is a fault and not an error.
 */
export async function verifyCopy(
  workspace: string,
  { home }: BackupParts,
  onProgress?: (done: number, total: number) => void,
): Promise<CopyReport> {
  const folder = new WorkspaceFolder(workspace);
  try {
    return await readSnapshot(folder.database, async (database) => {
      const view = new LedgerView(database, PROJECTIONS);
      const total = onProgress ? view.head().seq : 0;
      const { report, faults } = await checkDatabase({ database, file: folder.database }, {}, (done) =>
        onProgress?.(done, total),
      );
      const lines = counting(readLines(folder.mirror), (done) => onProgress?.(done, total));
      const mirror = compareMirror(lines, view.records());
      const lacking =
        mirror.behind === 0 ? [] : [{ where: 'run_ledger.jsonl', what: `lacks ${mirror.behind} events` }];
      const vault = await vaultFaults(
        { directory: folder.directory, home },
        new SqliteTables(database, folder.database),
      );
      return {
        events: report.events,
        head: report.head,
        faults: [...faults, ...mirror.faults, ...lacking],
        warnings: vault.map(({ where, what }) => ({ where: where.replace(folder.directory, '.oka'), what })),
      };
    });
  } catch (error) {
    if (isOkaError(error, 'ledger.disk_full') || isOkaError(error, 'ledger.newer_schema')) throw error;
    const faults = [{ where: 'oka.db', what: `cannot be read: ${(error as Error).message}` }];
    return { events: 0, head: { seq: 0, hash: '' }, faults, warnings: [] };
  }
}
