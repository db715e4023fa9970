import type { Clock } from '../../kernel/index.ts';
import { type LeaseHolder, type Leases, replaceableOwner, type SqlTables } from '../../ledger/index.ts';

/** Leases as rows; acquiring one is a single statement, so that two processes cannot both get it. */
export class SqlLeases implements Leases {
  readonly #tables: SqlTables;
  readonly #clock: Clock;
  readonly #isAlive: (owner: string) => boolean;

  constructor(tables: SqlTables, clock: Clock, isAlive: (owner: string) => boolean) {
    this.#tables = tables;
    this.#clock = clock;
    this.#isAlive = isAlive;
  }

  async acquire(name: string, owner: string, expiresAt: number): Promise<boolean> {
    const now = this.#clock.now();
    const before = replaceableOwner(await this.holder(name), { owner, now, isAlive: this.#isAlive });
    // A failed attempt must not wait for the database's writer.
    if (before === undefined) return false;
    const taken = await this.#tables.change(
      `INSERT INTO leases (name, owner, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
       WHERE leases.owner = excluded.owner OR leases.expires_at <= ? OR leases.owner = ?`,
      ...[name, owner, expiresAt, now, before],
    );
    return taken > 0;
  }

  async release(name: string, owner: string): Promise<void> {
    await this.#tables.change('DELETE FROM leases WHERE name = ? AND owner = ?', name, owner);
  }

  async holder(name: string): Promise<LeaseHolder | undefined> {
    const [row] = await this.#tables.rows('SELECT owner, expires_at FROM leases WHERE name = ?', name);
    return row && { owner: row['owner'] as string, expiresAt: row['expires_at'] as number };
  }
}
