import { OkaError } from '../../kernel/index.ts';
import {
  ChainVerifier,
  type EventRecord,
  LedgerEvent,
  type MirrorRecord,
  type Projection,
} from '../../ledger/index.ts';
import { INSERT_EVENT, insertEvent } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';
import { openDatabase } from './open-database.ts';

export interface MirrorRebuild {
  readonly events: number;
  /** Events of a last transaction that the mirror holds only in part; they are left out. */
  readonly dropped: number;
}

/**
 * Fills an empty database at `file` from the records of a mirror. Refuses a mirror that does not verify, naming the
 * first fault; an incomplete last transaction is left out, as it never ended.
 */
export function rebuildFromMirror(options: {
  readonly file: string;
  readonly records: Iterable<MirrorRecord>;
  readonly projections: readonly Projection[];
  readonly now: () => number;
}): MirrorRebuild {
  const database = openDatabase({ file: options.file, now: options.now });
  try {
    const tables = new FoldedTables(database, options.projections);
    tables.ensure();
    const verifier = new ChainVerifier();
    const streams = new Map<string, number>();
    const insert = database.prepare(INSERT_EVENT);
    const archive = database.prepare('INSERT INTO archived_events (seq, chain) VALUES (?, ?)');
    const newStream = database.prepare('INSERT INTO streams (name) VALUES (?)');
    const endStream = database.prepare(
      'UPDATE streams SET archived_index = ?, archived_chain = ? WHERE name = ?',
    );
    const idOf = (stream: string): number => {
      const id = streams.get(stream) ?? Number(newStream.run(stream).lastInsertRowid);
      streams.set(stream, id);
      return id;
    };
    const store = (event: EventRecord): void => {
      insertEvent(insert, idOf(event.stream), event);
      const stored = new LedgerEvent(event);
      tables.apply(stored);
      if (event.type === 'stream.archived') {
        const { stream, lastIndex, chain } = stored.data as {
          stream: string;
          lastIndex: number;
          chain: string;
        };
        idOf(stream);
        endStream.run(lastIndex, chain, stream);
      }
    };
    let transaction: MirrorRecord[] = [];
    let events = 0;
    database.exec('BEGIN IMMEDIATE');
    for (const record of options.records) {
      transaction.push(record);
      if ('event' in record && !record.event.ends) continue;
      for (const member of transaction) {
        verifier.see(member);
        if ('event' in member) store(member.event);
        else archive.run(member.archived.seq, member.archived.chain);
      }
      events += transaction.length;
      transaction = [];
    }
    const { faults } = verifier.report();
    const [fault] = faults;
    if (fault) {
      throw new OkaError(
        'ledger.damaged',
        `the mirror cannot be used: ${fault.where}: ${fault.what}. Nothing was rebuilt.`,
        {
          data: { faults: faults.map((one) => ({ ...one })) },
        },
      );
    }
    database.exec('COMMIT');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { events, dropped: transaction.length };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}
