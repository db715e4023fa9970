import { type IdTable, INDEXED_ID_END } from '../../ledger/index.ts';
import { RowReader } from './row-reader.ts';

/** Sorts after every character of an id. */
const AFTER_IDS = '\u{10ffff}';

/** Finds ids by their start or end, with an index. */
export class SqlIdFinder extends RowReader {
  /** The ids that are `part`, start with it or end with it, at most `limit`; the newest first. */
  async find(tables: readonly IdTable[], part: string, limit: number): Promise<readonly string[]> {
    const found = await Promise.all(tables.map((table) => this.#inTable(table, part, limit)));
    return [...new Set(found.flat())].sort().reverse().slice(0, limit);
  }

  async has(tables: readonly IdTable[], id: string): Promise<boolean> {
    const sql = tables.map((table) => `SELECT 1 FROM ${table} WHERE id = ?1`).join(' UNION ALL ');
    return (await this.rows(sql, id)).length > 0;
  }

  /** The run that is not a child, counted from the newest, which is 1. */
  async newestRun(count: number): Promise<string | undefined> {
    const [row] = await this.rows(
      `SELECT id FROM (SELECT id, started_at FROM runs WHERE parent IS NULL
         UNION ALL SELECT id, started_at FROM simulations WHERE parent IS NULL) AS all_runs
       ORDER BY started_at DESC, id DESC LIMIT 1 OFFSET ?`,
      count - 1,
    );
    return row?.['id'] as string | undefined;
  }

  /** The pending approval, counted from the newest, which is 1. */
  async newestApproval(count: number): Promise<string | undefined> {
    const sql = `SELECT id FROM approvals WHERE status = 'pending' ORDER BY requested_at DESC, id DESC LIMIT 1 OFFSET ?`;
    return (await this.rows(sql, count - 1))[0]?.['id'] as string | undefined;
  }

  async #inTable(table: IdTable, part: string, limit: number): Promise<readonly string[]> {
    const { end } = this.dialect;
    const sql = `SELECT id FROM ${table} WHERE id >= ?1 AND id < ?2
      UNION SELECT id FROM ${table} WHERE ${end('id', String(INDEXED_ID_END))} = ?3 AND ${end('id', 'length(?1)')} = ?1
      ORDER BY id DESC LIMIT ?4`;
    const rows = await this.rows(sql, part, part + AFTER_IDS, part.slice(-INDEXED_ID_END), limit);
    return rows.map(({ id }) => id as string);
  }
}
