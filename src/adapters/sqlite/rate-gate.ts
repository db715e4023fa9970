import { countedCalls, nextFree, type RateGate, type RateLimit } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { type Database, inTransaction } from './driver.ts';

/** Counts calls in the workspace's database, so that rate limits hold for all its processes together. */
export class SqliteRateGate implements RateGate {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  freeAt(name: string, limit: RateLimit): number {
    const now = this.#clock.now();
    return nextFree(countedCalls(this.#read(name), limit, now), limit, now);
  }

  take(name: string, limit: RateLimit): number {
    return inTransaction(this.#database, () => {
      const now = this.#clock.now();
      const known = this.#read(name);
      const counted = countedCalls(known, limit, now);
      const at = nextFree(counted, limit, now);
      const remove = this.#database.prepare('DELETE FROM rate_calls WHERE name = ? AND at = ?');
      for (const old of known) if (!counted.includes(old)) remove.run(name, old);
      this.#database.prepare('INSERT INTO rate_calls (name, at) VALUES (?, ?)').run(name, at);
      return at;
    });
  }

  #read(name: string): readonly number[] {
    const rows = this.#database.prepare('SELECT at FROM rate_calls WHERE name = ? ORDER BY at').all(name);
    return rows.map((row) => Number(row['at']));
  }
}
