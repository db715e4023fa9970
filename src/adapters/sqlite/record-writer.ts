// Owns: storing already sealed records unchanged: from the mirror, or from a damaged database.
// I1 Each record must continue what is stored. The first that does not ends the writing.
// I2 Whole transactions only: records of a cut transaction are skipped.
import {
  ChainVerifier,
  LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  removalOf,
} from '../../ledger/index.ts';
import { applyRemoval } from './apply-removal.ts';
import type { Database, Statement } from './driver.ts';
import { INSERT_EVENT, insertEvent } from './event-rows.ts';
import type { FoldedTables } from './folded-tables.ts';
import { LedgerTail } from './ledger-tail.ts';

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
  const verifier = new ChainVerifier({ head: tail.head, endOf: (stream) => tail.end(stream) });
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
