// Owns: the order in which a folder becomes trusted: first its ledger, then what acts in it.
import { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { distrustLedger, originOf } from '../ledger/ledger-origin.ts';
import { remakeForeign } from '../ledger/rebuild-ledger.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';
import type { ActingItem } from './acting-items.ts';

type Trusting = Pick<
  OpenWorkspace,
  | 'folder'
  | 'user'
  | 'home'
  | 'clock'
  | 'ids'
  | 'trust'
  | 'isTrusted'
  | 'readActingItems'
  | 'openForWriting'
  | 'close'
  | 'warn'
>;

/**
 * Trusts a workspace with these items. A ledger that is not the user's own is moved aside, or adopted without any trust in its
 * content: then its schedules stay unapproved. Returns what happened to such a ledger.
 */
export async function trustWorkspace(
  services: Trusting,
  items: readonly ActingItem[],
  { adoptLedger = false } = {},
): Promise<{ readonly notice?: string }> {
  if (!services.isTrusted() && isCopy(services)) services.folder.renewIdentity();
  const isForeign = !services.isTrusted() && (await originOf(services)) === 'unknown';
  // Also a copy of the user's own ledger comes as a file that others may have changed.
  if (!services.isTrusted() && (adoptLedger || !isForeign)) {
    await services.close();
    await remakeForeign(services.folder, () => services.clock.now());
  }
  if (!isForeign) {
    services.trust.trustWith(items);
    return {};
  }
  if (adoptLedger) await distrustLedger(await services.openForWriting(), services);
  await services.close();
  const notice = adoptLedger ? ADOPTED : movedTo(services.folder.moveLedgerAside(`${services.clock.now()}`));
  services.trust.trustWith(items.filter(({ kind }) => kind !== 'schedule'));
  services.warn(notice);
  return { notice };
}

/** Whether the user trusts the workspace with this id in another folder, which is still there. */
function isCopy({ folder, user }: Trusting): boolean {
  const { id, path } = folder.identity();
  const others = user.trust.list().filter((known) => known.id !== undefined && known.path !== path);
  return others.some((known) => {
    const other = new WorkspaceFolder(known.path);
    return known.id === id && other.exists && user.isTrusted(other);
  });
}

const ADOPTED =
  'The ledger in this folder is adopted. Its facts are in quarantine (oka memory review), its schedules need your approval (oka trust), and its learned procedures are forgotten.';

function movedTo(folder: string): string {
  return `The ledger in this folder is not yours, so it was moved to ${folder}. To adopt it instead, move its files back before you trust the folder, and run: oka trust --adopt-ledger.`;
}
