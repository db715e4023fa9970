// Owns: storing already sealed records unchanged: from the mirror, or from a damaged database.
// I1 Each record must continue what is stored. The first that does not ends the writing.
// I2 Whole transactions only: records of a cut transaction are skipped.
import {
  type ArchivedStream,
  ChainVerifier,
  type EventAddress,
  LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  type Projection,
  removalOf,
} from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import { INSERT_EVENT, insertEvent } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';
import { LedgerTail } from './ledger-tail.ts';
import { openDatabase } from './open-database.ts';

export interface WrittenRecords {
  readonly stored: number;
  /** Skipped records of a last transaction whose end is missing. */
  readonly incomplete: number;
  /** The position before the first record that does not continue the chain; later records were skipped. */
  readonly brokenAfter?: LedgerHead;
}

/** Appends records to the database and updates the folded tables. The caller owns the transaction. */
export function writeRecords(
  database: Database,
  tables: FoldedTables,
  records: Iterable<MirrorRecord>,
): WrittenRecords {
  const tail = new LedgerTail(database);
  const verifier = new ChainVerifier({
    head: tail.head,
    endOf: (stream) => tail.end(stream),
    absent: () => absentChains(database),
  });
  const insert = database.prepare(INSERT_EVENT);
  const archive = database.prepare('INSERT INTO archived_events (seq, chain) VALUES (?, ?)');
  const streams = new StreamIds(database);
  const store = (record: MirrorRecord): void => {
    if ('archived' in record) {
      archive.run(record.archived.seq, record.archived.chain);
      return;
    }
    const { event } = record;
    insertEvent(insert, streams.idOf(event.stream), event);
    tables.apply(new LedgerEvent(event));
    const removal = removalOf(event);
    if (removal) applyRemoval(database, removal);
  };
  let stored = 0;
  let transaction: MirrorRecord[] = [];
  for (const record of records) {
    if (!verifier.fits(record)) return { stored, incomplete: transaction.length, brokenAfter: verifier.head };
    verifier.add(record);
    transaction.push(record);
    if ('event' in record && !record.event.ends) continue;
    for (const member of transaction) store(member);
    stored += transaction.length;
    transaction = [];
  }
  return { stored, incomplete: transaction.length };
}

/** The chain values of positions whose event is missing. */
export function absentChains(database: Database): Iterable<string> {
  const rows = database.prepare('SELECT chain FROM archived_events').all() as { chain: string }[];
  return rows.map(({ chain }) => chain);
}

class StreamIds {
  readonly #known = new Map<string, number>();
  readonly #find: Statement;
  readonly #add: Statement;

  constructor(database: Database) {
    this.#find = database.prepare('SELECT id FROM streams WHERE name = ?');
    this.#add = database.prepare('INSERT INTO streams (name) VALUES (?)');
  }

  idOf(stream: string): number {
    const known =
      this.#known.get(stream) ??
      (this.#find.get(stream) as { id: number } | undefined)?.id ??
      Number(this.#add.run(stream).lastInsertRowid);
    this.#known.set(stream, known);
    return known;
  }
}

/** Fills a new database at `file` from sealed records: whole transactions, up to the first record that does not continue. */
export function rebuildDatabase(options: {
  readonly file: string;
  readonly records: Iterable<MirrorRecord>;
  readonly projections: readonly Projection[];
  readonly now: () => number;
}): WrittenRecords {
  const database = openDatabase({ file: options.file, now: options.now });
  try {
    database.exec('BEGIN IMMEDIATE');
    const tables = new FoldedTables(database, options.projections);
    tables.ensure();
    const written = writeRecords(database, tables, options.records);
    database.exec('COMMIT');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return written;
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

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
