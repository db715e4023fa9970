import type { Cache } from '../../engine/index.ts';
import type { Clock, Json } from '../../kernel/index.ts';
import type { Database } from './driver.ts';

/** The tool cache as a table; losing it costs time only. */
export class SqliteCache implements Cache {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async get(key: string): Promise<Json | undefined> {
    const row = this.#database
      .prepare('SELECT output FROM tool_cache WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)')
      .get(key, this.#clock.now()) as { output: string } | undefined;
    return row && (JSON.parse(row.output) as Json);
  }

  async set(key: string, entry: Parameters<Cache['set']>[1]): Promise<void> {
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO tool_cache (key, tool, output, stored_at, expires_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(key, entry.tool, JSON.stringify(entry.output), this.#clock.now(), entry.expiresAt ?? null);
  }

  async clear(): Promise<void> {
    this.#database.exec('DELETE FROM tool_cache');
  }
}
