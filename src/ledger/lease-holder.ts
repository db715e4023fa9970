/** Longer than any valid lease. */
const MAX_LEASE_MS = 86_400_000;

export interface LeaseHolder {
  readonly owner: string;
  readonly expiresAt: number;
}

/**
 * The owner that may be replaced although its lease has not expired, because it is dead; empty if there is none. Undefined
 * if another owner holds the lease.
 */
export function replaceableOwner(
  holder: LeaseHolder | undefined,
  {
    owner,
    now,
    isAlive,
  }: { readonly owner: string; readonly now: number; readonly isAlive: (owner: string) => boolean },
): string | undefined {
  if (holder === undefined || holder.owner === owner) return '';
  if (!isAlive(holder.owner) || isInvalid(holder, owner, now)) return holder.owner;
  return holder.expiresAt > now ? undefined : '';
}

/**
 * Whether a lease was taken with a wrong clock by a process on another machine: it would block the name for as long as
 * that clock was ahead. A process on this machine is checked for being alive instead.
 */
function isInvalid(holder: LeaseHolder, self: string, now: number): boolean {
  return machineOf(holder.owner) !== machineOf(self) && holder.expiresAt - now > MAX_LEASE_MS;
}

/** The machine of an owner, `pid@host#start`. */
function machineOf(owner: string): string {
  return /@(.*)#\d+$/.exec(owner)?.[1] ?? owner;
}
