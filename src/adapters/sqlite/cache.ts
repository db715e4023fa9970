import type { Cache } from '../../engine/index.ts';
import { type Clock, digestOf, type Json } from '../../kernel/index.ts';
import type { Database } from './driver.ts';

/** The tool cache as a table; losing it only costs time. A damaged entry counts as a miss. */
export class SqliteCache implements Cache {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async get(key: string): Promise<Json | undefined> {
    const row = this.#database
      .prepare(
        'SELECT output, digest FROM tool_cache WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)',
      )
      .get(key, this.#clock.now()) as { output: string; digest: string } | undefined;
    if (row === undefined || digestOf(row.output) !== row.digest) return undefined;
    return JSON.parse(row.output) as Json;
  }

  async set(key: string, entry: Parameters<Cache['set']>[1]): Promise<void> {
    const output = JSON.stringify(entry.output);
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO tool_cache (key, tool, output, digest, stored_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(key, entry.tool, output, digestOf(output), this.#clock.now(), entry.expiresAt ?? null);
  }

  async clear(): Promise<void> {
    this.#database.exec('DELETE FROM tool_cache');
  }
}
