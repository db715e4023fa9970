import { type Embedder, embedderId, measureQuality } from '../../retrieval/index.ts';
import { type Database, prepared } from './driver.ts';

const CREATE =
  'CREATE TABLE IF NOT EXISTS memory_embedders (embedder TEXT PRIMARY KEY, quality REAL NOT NULL) STRICT';

/** The quality of an embedder. It is measured once and kept, also for vectors that an older release made. */
export async function embedderQuality(database: Database, embedder: Embedder): Promise<number> {
  const id = embedderId(embedder);
  const known = keptQuality(database, id);
  if (known !== undefined) return known;
  const quality = await measureQuality(embedder);
  database.exec(CREATE);
  database.prepare('INSERT OR REPLACE INTO memory_embedders VALUES (?, ?)').run(id, quality);
  return quality;
}

function keptQuality(database: Database, id: string): number | undefined {
  const table = prepared(database, `SELECT 1 FROM sqlite_schema WHERE name = 'memory_embedders'`).get();
  if (table === undefined) return undefined;
  const row = prepared(database, 'SELECT quality FROM memory_embedders WHERE embedder = ?').get(id);
  return (row as { quality: number } | undefined)?.quality;
}
