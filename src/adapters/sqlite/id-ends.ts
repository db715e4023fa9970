import { ID_TABLES, INDEXED_ID_END } from '../../ledger/index.ts';
import type { Database } from './driver.ts';

/** Indexes the ends of ids. The tables do not declare these indexes, so that adding one folds no table again. */
export function indexIdEnds(database: Database): void {
  const exists = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  for (const table of ID_TABLES) {
    const index = `${table}_by_id_end`;
    if (exists.get(table) !== undefined && exists.get(index) === undefined)
      database.exec(`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (substr(id, -${INDEXED_ID_END}))`);
  }
}
