import type { RecordSource, RecordTarget } from '../../ledger/index.ts';
import type { LedgerArchive } from './ledger-archive.ts';

/** A SQLite ledger as the source or the target of a copy. */
export function copyableRecords(archive: LedgerArchive): RecordSource & RecordTarget {
  return {
    head: async () => archive.head(),
    chainAt: async (seq) => archive.chainAt(seq),
    recordsAfter: async (seq, limit) => {
      const records = [];
      for (const record of archive.records(seq)) {
        records.push(record);
        if (records.length >= limit) break;
      }
      return records;
    },
    adopt: async (records) => archive.adopt(() => records),
  };
}
