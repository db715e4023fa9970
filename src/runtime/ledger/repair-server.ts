// Owns: bringing events that a server has lost back from the copy of this machine.
// I1 The copy only continues the ledger on the server. Where both continue differently, nothing is changed.
import type { SignedHeads } from '../../adapters/workspace/index.ts';
import { isOkaError } from '../../kernel/index.ts';
import { differenceFrom, knownHeads } from './head-signing.ts';
import type { OpenLedger, SharedStores } from './open-ledger.ts';
import type { EventsRepair } from './repair-events.ts';

export async function repairServer(
  { chain, shared }: Pick<OpenLedger, 'chain' | 'shared'>,
  heads: SignedHeads,
): Promise<EventsRepair> {
  const known = await knownHeads({ heads, ledger: chain });
  const isAsSigned = (await differenceFrom(known, chain)) === undefined;
  const restored = isAsSigned ? 0 : await restore(shared as SharedStores);
  const events = restored === 1 ? '1 event' : `${restored} events`;
  const repaired =
    restored === 0 ? [] : [`Restored ${events} that the server lacked from the copy on this machine.`];
  return { isDecided: true, repaired, kept: [], faults: [], next: [] };
}

async function restore(shared: SharedStores): Promise<number> {
  try {
    return await shared.restoreFromCopy();
  } catch (error) {
    if (isOkaError(error, 'ledger.diverged')) return 0;
    throw error;
  }
}
