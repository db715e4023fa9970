// Owns: whether the ledger in a folder is the user's own, and adopting one that is not.
import { SqlMemoryRecords } from '../../adapters/sql/index.ts';
import { LedgerView, readSnapshot } from '../../adapters/sqlite/index.ts';
import { SignedHeads, type WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { Clock, Ids } from '../../kernel/index.ts';
import { compareWithSigned, ledgerAdopted, SYSTEM_STREAM } from '../../ledger/index.ts';
import { distrustFacts } from '../../memory/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import type { OpenLedger } from './open-ledger.ts';

export interface LedgerPlace {
  readonly folder: WorkspaceFolder;
  readonly home: string;
  readonly clock: Clock;
}

/** `unknown`: this machine has never signed a head of it, so it may have come with a clone. */
export type LedgerOrigin = 'none' | 'own' | 'unknown';

/**
 * A ledger is the user's own if the user's folder knows a head of its id, or if a head of its path, or the one beside it, is
 * signed with the user's key and fits: then its id was removed, or it was copied from another folder of the user.
 */
export async function originOf({ folder, home, clock }: LedgerPlace): Promise<LedgerOrigin> {
  const { database, mirror } = folder.sizes();
  if (database === 0 && mirror === 0) return 'none';
  const heads = new SignedHeads({ home, folder, clock });
  if (heads.isKnownById()) return 'own';
  const beside = heads.beside();
  const signed = [...heads.known().heads, ...(beside.state === 'valid' ? [beside.head] : [])];
  if (signed.length === 0 || database === 0) return 'unknown';
  return readSnapshot(folder.database, async (opened) => {
    const view = new LedgerView(opened, PROJECTIONS);
    for (const head of signed) if ((await compareWithSigned(head, view)) === 'sound') return 'own';
    return 'unknown';
  });
}

const FACTS_PER_COMMIT = 500;

/** Marks everything in a ledger as a stranger's: facts go into quarantine, procedures are forgotten, episodes are untrusted. */
export async function distrustLedger(
  { events, tables }: Pick<OpenLedger, 'events' | 'tables'>,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<void> {
  const records = new SqlMemoryRecords(tables);
  const now = clock.now();
  const about = { ids, now, origin: 'a ledger that was adopted' };
  for (;;) {
    const facts = await records.facts({ all: true, now, limit: FACTS_PER_COMMIT });
    if (facts.length === 0) break;
    await events.commit({ actor: 'user', sync: 'normal', appends: distrustFacts(facts, about) });
  }
  const adopted = { stream: SYSTEM_STREAM, events: [ledgerAdopted()] };
  await events.commit({ actor: 'user', sync: 'full', appends: [adopted] });
}
