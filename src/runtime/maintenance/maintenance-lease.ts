import type { Owners } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

const LEASE = 'maintenance';
/** Longer than any maintenance; it matters only if a machine died with its process. */
export const MAINTENANCE_LEASE_MS = 3_600_000;

/** Ledgers that this process maintains now: the lease excludes other processes, not other calls. */
const working = new WeakSet<OpenLedger>();

/** Does the work unless another call or process maintains this workspace or removes content; then returns `busy`. */
export async function whileMaintaining<Answer>(
  ledger: OpenLedger,
  { owners, clock }: { readonly owners: Owners; readonly clock: Clock },
  work: () => Promise<Answer>,
): Promise<Answer | 'busy'> {
  const { leases } = ledger;
  if (working.has(ledger)) return 'busy';
  working.add(ledger);
  try {
    if (!(await leases.acquire(LEASE, owners.self, clock.now() + MAINTENANCE_LEASE_MS))) return 'busy';
    try {
      return await work();
    } finally {
      await leases.release(LEASE, owners.self);
    }
  } finally {
    working.delete(ledger);
  }
}
