import type { Cache } from '../../engine/index.ts';
import { type Clock, digestOf, type Json } from '../../kernel/index.ts';
import type { Fault, Row, SqlTables } from '../../ledger/index.ts';

const ENTRIES = 'SELECT key, tool, output, digest, stored_at, expires_at FROM tool_cache';

/** The tool cache as a table; losing it only costs time. A damaged entry counts as a miss. */
export class SqlCache implements Cache {
  readonly #tables: SqlTables;
  readonly #clock: Clock;

  constructor(tables: SqlTables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
  }

  async get(key: string): Promise<Json | undefined> {
    const sql = `${ENTRIES} WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)`;
    const [row] = await this.#tables.rows(sql, key, this.#clock.now());
    return row !== undefined && digestOfEntry(row) === row['digest']
      ? (JSON.parse(row['output'] as string) as Json)
      : undefined;
  }

  async set(key: string, entry: Parameters<Cache['set']>[1]): Promise<void> {
    const row = {
      ...{ key, tool: entry.tool, output: JSON.stringify(entry.output) },
      ...{ stored_at: this.#clock.now(), expires_at: entry.expiresAt ?? null },
    };
    await this.#tables.change(
      `INSERT INTO tool_cache (key, tool, output, digest, stored_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET tool = excluded.tool, output = excluded.output, digest = excluded.digest,
         stored_at = excluded.stored_at, expires_at = excluded.expires_at`,
      ...[key, row.tool, row.output, digestOfEntry(row), row.stored_at, row.expires_at],
    );
  }

  async clear(): Promise<void> {
    await this.#tables.change('DELETE FROM tool_cache');
  }
}

/** The digest covers the whole row: a changed expiry would make an old output valid again. */
function digestOfEntry(row: Row): string {
  return digestOf(
    JSON.stringify([row['key'], row['tool'], row['output'], row['stored_at'], row['expires_at']]),
  );
}

/** The damaged entries. Entries of earlier versions have a digest of their output only; they are not read any more. */
export async function cacheFaults(tables: SqlTables): Promise<readonly Fault[]> {
  const rows = await tables.rows(ENTRIES);
  return rows
    .filter(
      (row) => ![digestOfEntry(row), digestOf(row['output'] as string)].includes(row['digest'] as string),
    )
    .map(({ key }) => ({ where: `table tool_cache, row ${key}`, what: 'differs from its digest' }));
}
