// Owns: the order in which a folder becomes trusted: first its ledger, then what acts in it.
import { distrustLedger, originOf } from '../ledger/ledger-origin.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';
import type { ActingItem } from './acting-items.ts';

type Trusting = Pick<
  OpenWorkspace,
  | 'folder'
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
 * content: then its schedules stay unapproved. Returns the items that may act.
 */
export async function trustWorkspace(
  services: Trusting,
  items: readonly ActingItem[],
  { adoptLedger = false } = {},
): Promise<readonly ActingItem[]> {
  const isForeign = !services.isTrusted() && (await originOf(services)) === 'unknown';
  if (!isForeign) {
    services.trust.trustWith(items);
    return items;
  }
  const own = items.filter(({ kind }) => kind !== 'schedule');
  if (adoptLedger) await distrustLedger(await services.openForWriting(), services);
  await services.close();
  if (adoptLedger)
    services.warn(
      'The ledger in this folder is adopted. Its facts are in quarantine (oka memory review), its schedules need your approval (oka trust), and its learned procedures are forgotten.',
    );
  else {
    const aside = services.folder.moveLedgerAside(String(services.clock.now()));
    services.warn(
      `The ledger in this folder is not yours, so it was moved to ${aside}. To adopt it instead: move it back and run oka trust --adopt-ledger.`,
    );
  }
  services.trust.trustWith(own);
  return own;
}
