// Owns: whether the ledger in a folder is the user's own, and moving a stranger's ledger aside.
import { LedgerView, readSnapshot } from '../../adapters/sqlite/index.ts';
import { SignedHeads, type WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { compareWithSigned } from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';

export interface LedgerPlace {
  readonly folder: WorkspaceFolder;
  readonly home: string;
  readonly clock: Clock;
}

/** `unknown`: this machine has never signed a head of it, so it may have come with a clone. */
export type LedgerOrigin = 'none' | 'own' | 'unknown';

/**
 * A ledger is the user's own if the user's folder knows a head of it, or if the head beside it is signed with the user's key
 * and fits: then it was copied from another folder of the user.
 */
export async function originOf({ folder, home, clock }: LedgerPlace): Promise<LedgerOrigin> {
  const { database, mirror } = folder.sizes();
  if (database === 0 && mirror === 0) return 'none';
  const heads = new SignedHeads({ home, folder, clock });
  if (heads.anchored().state !== 'none') return 'own';
  const beside = heads.beside();
  if (beside.state !== 'valid' || database === 0) return 'unknown';
  const { head } = beside;
  return readSnapshot(folder.database, async (opened) => {
    const isSound = compareWithSigned(head, new LedgerView(opened, PROJECTIONS)) === 'sound';
    return isSound ? 'own' : 'unknown';
  });
}
