// Owns: what verification says about the signed heads of a ledger, in a workspace and on a server.
import type { KnownHeads, SignedHeads } from '../../adapters/workspace/index.ts';
import type { Fault, HeadSource } from '../../ledger/index.ts';
import { differenceFrom } from './head-signing.ts';

export interface HeadsCheck {
  /** The newest event that a signature covers, and when it was signed. */
  readonly signed?: { readonly seq: number; readonly at: number };
  readonly faults: readonly Fault[];
  readonly notes: readonly string[];
}

export const NOT_SIGNED: HeadsCheck = {
  faults: [],
  notes: [
    'No head of this ledger was signed on this machine, so a ledger rewritten as a whole is not noticed.',
  ],
};

/** The user's folder decides, so a wrong copy beside the ledger is no fault. */
const FOREIGN_COPY =
  'head.json beside the ledger is not signed with your key; the next run that ends writes it again.';

/** Compares a ledger with every head that is known for it. */
export async function checkHeads(
  known: KnownHeads,
  heads: SignedHeads,
  ledger: HeadSource,
): Promise<HeadsCheck> {
  const notes = known.unreadable
    ? [`The signed heads in ${known.unreadable} cannot be read, so the ledger was not compared with them.`]
    : [];
  const difference = await differenceFrom(known, ledger);
  if (difference !== undefined) return { faults: [{ where: 'signed head', what: difference.what }], notes };
  const [newest] = known.heads;
  if (newest === undefined) return { faults: [], notes: [...NOT_SIGNED.notes, ...notes] };
  const isForged = heads.beside().state === 'forged';
  return {
    signed: { seq: newest.seq, at: newest.at },
    faults: [],
    notes: [...(isForged ? [FOREIGN_COPY] : []), ...notes],
  };
}
