import type { Cache } from '../../engine/index.ts';
import { type Clock, digestOf, type Json } from '../../kernel/index.ts';
import type { SqlTables } from '../../ledger/index.ts';

/** The tool cache as a table; losing it only costs time. A damaged entry counts as a miss. */
export class SqlCache implements Cache {
  readonly #tables: SqlTables;
  readonly #clock: Clock;

  constructor(tables: SqlTables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
  }

  async get(key: string): Promise<Json | undefined> {
    const sql =
      'SELECT output, digest FROM tool_cache WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)';
    const [row] = await this.#tables.rows(sql, key, this.#clock.now());
    const output = row?.['output'] as string | undefined;
    if (output === undefined || digestOf(output) !== row?.['digest']) return undefined;
    return JSON.parse(output) as Json;
  }

  async set(key: string, entry: Parameters<Cache['set']>[1]): Promise<void> {
    const output = JSON.stringify(entry.output);
    await this.#tables.change(
      `INSERT INTO tool_cache (key, tool, output, digest, stored_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET tool = excluded.tool, output = excluded.output, digest = excluded.digest,
         stored_at = excluded.stored_at, expires_at = excluded.expires_at`,
      ...[key, entry.tool, output, digestOf(output), this.#clock.now(), entry.expiresAt ?? null],
    );
  }

  async clear(): Promise<void> {
    await this.#tables.change('DELETE FROM tool_cache');
  }
}
