import type { Clock } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';
import type { Database } from './driver.ts';

/** Longer than any lease is taken for. */
const LONGEST_LEASE_MS = 86_400_000;

/** Leases as rows; taking one is a single statement, so two processes cannot both get it. */
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
    const isAlive = isOthers && this.#isAlive(holder.owner) && !isVoid(holder, owner, now);
    // Who only asks must not wait for whoever writes the database.
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
 * Whether a lease was taken by a clock that was wrong, by a process that cannot be looked at from here: it would block the
 * name for as long as the clock was ahead. A process of this machine is looked at instead, because it may still rely on it.
 */
function isVoid(holder: { owner: string; expiresAt: number }, self: string, now: number): boolean {
  return machineOf(holder.owner) !== machineOf(self) && holder.expiresAt - now > LONGEST_LEASE_MS;
}

/** The machine of an owner, `pid@host#start`. */
function machineOf(owner: string): string {
  return /@(.*)#\d+$/.exec(owner)?.[1] ?? owner;
}
