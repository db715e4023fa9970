import type { Clock } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';
import type { Database } from './driver.ts';

/** Longer than any valid lease. */
const MAX_LEASE_MS = 86_400_000;

/** Leases as rows; acquiring one is a single statement, so that two processes cannot both get it. */
export class SqliteLeases implements Leases {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #isAlive: (owner: string) => boolean;

  constructor(database: Database, clock: Clock, isAlive: (owner: string) => boolean) {
    this.#database = database;
    this.#clock = clock;
    this.#isAlive = isAlive;
  }

  acquire(name: string, owner: string, expiresAt: number): boolean {
    const holder = this.holder(name);
    const isOthers = holder !== undefined && holder.owner !== owner;
    const now = this.#clock.now();
    const isAlive = isOthers && this.#isAlive(holder.owner) && !isInvalid(holder, owner, now);
    // A failed attempt must not wait for the database's writer.
    if (isAlive && holder.expiresAt > now) return false;
    const dead = isOthers && !isAlive ? holder.owner : '';
    const taken = this.#database
      .prepare(
        `INSERT INTO leases (name, owner, expires_at) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
         WHERE leases.owner = excluded.owner OR leases.expires_at <= ? OR leases.owner = ?`,
      )
      .run(name, owner, expiresAt, now, dead);
    return Number(taken.changes) > 0;
  }

  release(name: string, owner: string): void {
    this.#database.prepare('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner);
  }

  holder(name: string): { readonly owner: string; readonly expiresAt: number } | undefined {
    return this.#database
      .prepare('SELECT owner, expires_at AS expiresAt FROM leases WHERE name = ?')
      .get(name) as { owner: string; expiresAt: number } | undefined;
  }
}

/**
 * Whether a lease was taken with a wrong clock by a process on another machine: it would block the name for as long as
 * that clock was ahead. A process on this machine is checked for being alive instead.
 */
function isInvalid(holder: { owner: string; expiresAt: number }, self: string, now: number): boolean {
  return machineOf(holder.owner) !== machineOf(self) && holder.expiresAt - now > MAX_LEASE_MS;
}

/** The machine of an owner, `pid@host#start`. */
function machineOf(owner: string): string {
  return /@(.*)#\d+$/.exec(owner)?.[1] ?? owner;
}
