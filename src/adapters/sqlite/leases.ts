import type { Clock } from '../../kernel/index.ts';
import { type LeaseHolder, replaceableOwner } from '../../ledger/index.ts';
import type { Database } from './driver.ts';

/** The leases of a SQLite ledger for work that must not wait, such as writing the mirror when events are noted. */
export class SqliteLeases {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #isAlive: (owner: string) => boolean;

  constructor(database: Database, clock: Clock, isAlive: (owner: string) => boolean) {
    this.#database = database;
    this.#clock = clock;
    this.#isAlive = isAlive;
  }

  acquire(name: string, owner: string, expiresAt: number): boolean {
    const now = this.#clock.now();
    const before = replaceableOwner(this.holder(name), { owner, now, isAlive: this.#isAlive });
    // A failed attempt must not wait for the database's writer.
    if (before === undefined) return false;
    const taken = this.#database
      .prepare(
        `INSERT INTO leases (name, owner, expires_at) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
         WHERE leases.owner = excluded.owner OR leases.expires_at <= ? OR leases.owner = ?`,
      )
      .run(name, owner, expiresAt, now, before);
    return Number(taken.changes) > 0;
  }

  release(name: string, owner: string): void {
    this.#database.prepare('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner);
  }

  holder(name: string): LeaseHolder | undefined {
    return this.#database
      .prepare('SELECT owner, expires_at AS expiresAt FROM leases WHERE name = ?')
      .get(name) as LeaseHolder | undefined;
  }
}
