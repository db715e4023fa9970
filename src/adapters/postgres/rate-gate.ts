import { countedCalls, nextFree, type RateGate, type RateLimit } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { PostgresConnection } from './connection.ts';

/** Counts calls in the database, so that rate limits hold for all workers together. */
export class PostgresRateGate implements RateGate {
  readonly #connection: PostgresConnection;
  readonly #clock: Clock;
  readonly #ready: () => Promise<void>;

  constructor(connection: PostgresConnection, clock: Clock, ready: () => Promise<void>) {
    this.#connection = connection;
    this.#clock = clock;
    this.#ready = ready;
  }

  async freeAt(name: string, limit: RateLimit): Promise<number> {
    await this.#ready();
    const now = this.#clock.now();
    const { rows } = await this.#connection.query(READ, [name]);
    return nextFree(countedCalls(timesOf(rows), limit, now), limit, now);
  }

  async take(name: string, limit: RateLimit): Promise<number> {
    await this.#ready();
    return this.#connection.transaction(async (client) => {
      const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 2))';
      await client.query(lock, [`${this.#connection.schema} ${name}`]);
      const now = this.#clock.now();
      const counted = countedCalls(timesOf((await client.query(READ, [name])).rows), limit, now);
      const at = nextFree(counted, limit, now);
      await client.query('DELETE FROM rate_calls WHERE name = $1 AND at < $2', [name, counted[0] ?? at]);
      await client.query('INSERT INTO rate_calls (name, at) VALUES ($1, $2)', [name, at]);
      return at;
    });
  }
}

const READ = 'SELECT at FROM rate_calls WHERE name = $1 ORDER BY at';

function timesOf(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map((row) => row['at'] as number);
}
