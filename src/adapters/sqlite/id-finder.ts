import type { Database } from './driver.ts';
import { RowReader } from './row-reader.ts';

/** The tables whose rows people name by a part of their id. */
const TABLES = ['runs', 'simulations', 'approvals', 'facts', 'quarantined_facts'] as const;
export type IdTable = (typeof TABLES)[number];

/** The indexed end of an id. A part is at least as long. */
const INDEXED_END = 4;
/** Sorts after every character of an id. */
const AFTER_IDS = '\u{10ffff}';

/** Finds ids by their start or end, with an index. */
export class SqliteIdFinder extends RowReader {
  /** The ids that are `part`, start with it or end with it, at most `limit`; the newest first. */
  find(tables: readonly IdTable[], part: string, limit: number): readonly string[] {
    const found = tables.flatMap((table) => this.#inTable(table, part, limit));
    return [...new Set(found)].sort().reverse().slice(0, limit);
  }

  has(tables: readonly IdTable[], id: string): boolean {
    return tables.some((table) => this.rows(`SELECT 1 FROM ${table} WHERE id = ?`, id).length > 0);
  }

  /** The run that is not a child, counted from the newest, which is 1. */
  newestRun(count: number): string | undefined {
    const [row] = this.rows(
      `SELECT id FROM (SELECT id, started_at FROM runs WHERE parent IS NULL
         UNION ALL SELECT id, started_at FROM simulations WHERE parent IS NULL)
       ORDER BY started_at DESC, id DESC LIMIT 1 OFFSET ?`,
      count - 1,
    );
    return row?.['id'] as string | undefined;
  }

  /** The pending approval, counted from the newest, which is 1. */
  newestApproval(count: number): string | undefined {
    const sql = `SELECT id FROM approvals WHERE status = 'pending' ORDER BY requested_at DESC, id DESC LIMIT 1 OFFSET ?`;
    return this.rows(sql, count - 1)[0]?.['id'] as string | undefined;
  }

  #inTable(table: IdTable, part: string, limit: number): readonly string[] {
    const sql = `SELECT id FROM ${table} WHERE id >= ?1 AND id < ?2
      UNION SELECT id FROM ${table} WHERE substr(id, -${INDEXED_END}) = ?3 AND substr(id, -length(?1)) = ?1
      ORDER BY id DESC LIMIT ?4`;
    const rows = this.rows(sql, part, part + AFTER_IDS, part.slice(-INDEXED_END), limit);
    return rows.map(({ id }) => id as string);
  }
}

/** Indexes the ends of ids. The tables do not declare these indexes, so that adding one folds no table again. */
export function indexIdEnds(database: Database): void {
  const exists = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  for (const table of TABLES) {
    const index = `${table}_by_id_end`;
    if (exists.get(table) !== undefined && exists.get(index) === undefined)
      database.exec(`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (substr(id, -${INDEXED_END}))`);
  }
}
