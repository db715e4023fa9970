// Owns: the one check of a ledger's database, which verification, repair and backups use. Reads only.
import { setImmediate } from 'node:timers/promises';
import { cacheFaults, snapshotFaults } from '../../adapters/sql/index.ts';
import {
  type CheckOptions,
  type Database,
  type LedgerCheck,
  LedgerView,
  memoryIndexFaults,
  NEWEST_SCHEMA,
  SqliteTables,
} from '../../adapters/sqlite/index.ts';
import type { Fault, SqlTables } from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';

export interface CheckedDatabase {
  readonly database: Database;
  readonly file: string;
}

/** Verifies everything in the database, or the chain after a head. Yields to other work of this process in between. */
export async function checkDatabase(
  { database, file }: CheckedDatabase,
  options: CheckOptions = {},
  onStep: (seq: number) => void = () => undefined,
): Promise<LedgerCheck> {
  const steps = new LedgerView(database, PROJECTIONS).check(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      // What SQLite cannot read is not compared either.
      const isReadable = options.after === undefined && value.faults.length === 0;
      const kept = isReadable
        ? [
            ...memoryIndexFaults(database).map((what) => ({ where: 'database', what })),
            ...(await keptFaults(new SqliteTables(database, file))),
          ]
        : [];
      return { ...value, faults: [...value.faults, ...kept] };
    }
    onStep(value);
    await setImmediate();
  }
}

/** The faults of what is kept only to save time. The next writer migrates what an earlier version kept. */
async function keptFaults(tables: SqlTables): Promise<readonly Fault[]> {
  const [schema] = await tables.rows('PRAGMA user_version');
  if (schema?.['user_version'] !== NEWEST_SCHEMA) return [];
  return [...(await snapshotFaults(tables)), ...(await cacheFaults(tables))];
}
