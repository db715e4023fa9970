import type { MirrorRecord, Projection } from '../../ledger/index.ts';
import { FoldedTables } from './folded-tables.ts';
import { openDatabase } from './open-database.ts';
import { type WrittenRecords, writeRecords } from './record-writer.ts';

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
