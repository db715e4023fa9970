import type { ArchivedStream, EventAddress } from '../../ledger/index.ts';
import type { Database } from './driver.ts';

/** Removes from stored rows what a housekeeping event names, in the transaction that stores the event. Idempotent. */
export function applyRemoval(
  database: Database,
  removal: { readonly erased: readonly EventAddress[] } | { readonly archived: ArchivedStream },
): void {
  if ('erased' in removal) {
    const erase = database.prepare(
      'UPDATE events SET body = NULL, salt = NULL WHERE idx = ? AND stream_id = (SELECT id FROM streams WHERE name = ?)',
    );
    for (const { stream, index } of removal.erased) erase.run(index, stream);
    for (const stream of new Set(removal.erased.map((address) => address.stream)))
      dropSnapshot(database, stream);
  } else {
    const { stream, lastIndex, chain } = removal.archived;
    database.prepare('INSERT OR IGNORE INTO streams (name) VALUES (?)').run(stream);
    const { id } = database.prepare('SELECT id FROM streams WHERE name = ?').get(stream) as { id: number };
    database.prepare('INSERT INTO archived_events SELECT seq, chain FROM events WHERE stream_id = ?').run(id);
    database.prepare('DELETE FROM events WHERE stream_id = ?').run(id);
    database
      .prepare('UPDATE streams SET archived_index = ?, archived_chain = ? WHERE id = ?')
      .run(lastIndex, chain, id);
    dropSnapshot(database, stream);
  }
  database.exec('DELETE FROM tool_cache');
}

function dropSnapshot(database: Database, stream: string): void {
  database.prepare('DELETE FROM snapshots WHERE run = ?').run(stream.slice(stream.indexOf('/') + 1));
}
