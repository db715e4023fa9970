import { dropLeases } from '../../adapters/sqlite/index.ts';
import { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { BackupNote } from '../../api/index.ts';
import { isOkaError, OkaError, sortableIds } from '../../kernel/index.ts';
import { OpenLedger } from '../open-ledger.ts';
import { openVault } from '../vault.ts';
import { verifyLedger } from '../verify-ledger.ts';
import type { Workbench } from '../workbench.ts';

export type BackupParts = Pick<
  Workbench,
  'clock' | 'folder' | 'ledger' | 'owners' | 'random' | 'redactor' | 'requireWorkspace' | 'user'
> & { readonly home: string };

export interface CopyReport {
  readonly events: number;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly faults: readonly BackupNote[];
  /** What is wrong with the vault; the ledger is whole without it. */
  readonly warnings: readonly BackupNote[];
}

/**
 * Proves the ledger in a copy of a workspace that only this process knows: file, chain, folded tables, mirror. The copy may
 * have been written by anybody, so whatever goes wrong in it is a fault and not an error.
 */
export async function verifyCopy(workspace: string, parts: BackupParts): Promise<CopyReport> {
  try {
    const folder = new WorkspaceFolder(workspace);
    // A lease of a foreign archive could keep this process from the mirror.
    dropLeases(folder.database);
    const ledger = new OpenLedger(folder, parts);
    try {
      return await verifyOpen(ledger, workspace, parts);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (isOkaError(error, 'ledger.disk_full') || isOkaError(error, 'ledger.newer_schema')) throw error;
    const faults = [{ where: 'oka.db', what: `cannot be read: ${(error as Error).message}` }];
    return { events: 0, head: { seq: 0, hash: '' }, faults, warnings: [] };
  }
}

async function verifyOpen(ledger: OpenLedger, workspace: string, parts: BackupParts): Promise<CopyReport> {
  // Writing mends the end of a mirror; in a copy there is nothing to mend.
  const mended = await ledger.startWriting();
  const { events, head, faults } = await verifyLedger(ledger, { repair: false });
  const missing = mended.map((what) => ({
    where: 'run_ledger.jsonl',
    what: `did not fit the ledger: ${what}`,
  }));
  return {
    events,
    head,
    faults: [...missing, ...faults],
    warnings: await vaultFaults(ledger, workspace, parts),
  };
}

async function vaultFaults(
  ledger: OpenLedger,
  workspace: string,
  { clock, home, random, redactor }: BackupParts,
): Promise<readonly BackupNote[]> {
  const { directory } = new WorkspaceFolder(workspace);
  const ids = sortableIds(clock, random);
  const { vault } = openVault({ directory, home, clock, ids, redactor }, ledger);
  try {
    return (await vault.faults()).map(({ where, what }) => ({
      where: where.replace(directory, '.oka'),
      what,
    }));
  } catch (error) {
    if (!(error instanceof OkaError)) throw error;
    return [{ where: '.oka/vault', what: error.message }];
  }
}
