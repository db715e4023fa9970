import type { FoldedInMemory } from '../../adapters/sqlite/index.ts';
import type { Fault, Row, SqlTables, TableSpec } from '../../ledger/index.ts';

const MAX_ROW_FAULTS = 20;

/** The rows of stored tables that differ from what the events say. */
export async function compareTables(stored: SqlTables, folded: FoldedInMemory): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const spec of folded.specs) faults.push(...(await compareTable(spec, stored, folded)));
  return faults;
}

/** The values of a row, as every database shows them: SQLite shows texts only up to a NUL. */
export function comparableRow(row: Row): readonly unknown[] {
  return Object.values(row).map((value) => (typeof value === 'string' ? value.split('\u0000', 1)[0] : value));
}

async function compareTable(spec: TableSpec, stored: SqlTables, folded: FoldedInMemory): Promise<Fault[]> {
  const columns = Object.keys(spec.columns);
  const sql = `SELECT ${columns.join(', ')} FROM ${spec.name}`;
  const contentOf = (row: Row): string => JSON.stringify(comparableRow(row));
  const nameOf = (row: Row): string => spec.key.map((column) => row[column] ?? '').join(' ');
  const found = new Map((await stored.rows(sql)).map((row) => [nameOf(row), contentOf(row)]));
  const faults: Fault[] = [];
  const fault = (name: string, what: string): void => {
    if (faults.length < MAX_ROW_FAULTS) faults.push({ where: `table ${spec.name}, row ${name}`, what });
  };
  for (const row of folded.rows(sql)) {
    const name = nameOf(row);
    if (!found.has(name)) fault(name, 'is missing');
    else if (found.get(name) !== contentOf(row)) fault(name, 'differs from what its events say');
    found.delete(name);
  }
  for (const name of found.keys()) fault(name, 'is not backed by any event');
  return faults;
}
