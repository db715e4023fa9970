// Owns: verifying what a database file holds besides the chain: pages, indexes, schema, folded tables. Read-only.
import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Fault, TableSpec } from '../../ledger/index.ts';
import { arrays, type Database } from './driver.ts';
import { MIGRATIONS, migrate, NEWEST_SCHEMA, recordedVersion, schemaVersion } from './migrations.ts';

const MAX_FILE_FAULTS = 20;
const MAX_ROW_FAULTS = 20;

/** The faults of pages, indexes and schema. Bytes that no page uses, such as the content of free pages, are not read by anybody. */
export function fileFaults(database: Database): Fault[] {
  // Unlike quick_check, it compares every index with its table.
  const problems = arrays(database.prepare(`PRAGMA integrity_check(${MAX_FILE_FAULTS})`)).all();
  const faults = (problems as unknown as [string][]).flatMap(([what]) => (what === 'ok' ? [] : [what]));
  if (faults.length === 0) faults.push(...headerFaults(database), ...schemaFaults(database));
  return faults.map((what) => ({ where: 'database', what }));
}

const FORMAT_VERSIONS_OFFSET = 18;

/** SQLite silently opens a file whose write version it does not know for reading only. */
function headerFaults(database: Database): string[] {
  const [main] = database.prepare('PRAGMA database_list').all() as { file: string }[];
  if (main === undefined || main.file === '') return [];
  const versions = Buffer.alloc(2);
  const file = openSync(main.file, 'r');
  try {
    readSync(file, versions, 0, versions.length, FORMAT_VERSIONS_OFFSET);
  } finally {
    closeSync(file);
  }
  return versions[0] === versions[1] ? [] : ['its header does not allow it to be written'];
}

/** Objects that migrations made differ from what they make. Those of an earlier Oka are made again by the next writer. */
function schemaFaults(database: Database): string[] {
  const version = schemaVersion(database);
  const end = recordedVersion(database);
  if (version !== end) return [`its schema is ${version}, but its record of migrations ends at ${end}`];
  if (version !== NEWEST_SCHEMA) return [];
  const fresh = new DatabaseSync(':memory:');
  try {
    migrate(fresh, ':memory:', () => 0);
    const sqlOf = 'SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL';
    const stored = new Map(arrays(database.prepare(sqlOf)).all() as unknown as [string, string][]);
    const expected = arrays(fresh.prepare(sqlOf)).all() as unknown as [string, string][];
    const recorded = database.prepare('SELECT version, name FROM migrations ORDER BY version').all();
    return [
      ...expected.flatMap(([name, sql]) =>
        stored.get(name) === sql ? [] : [`the definition of ${name} changed`],
      ),
      ...(JSON.stringify(recorded) ===
      JSON.stringify(MIGRATIONS.map(({ version, name }) => ({ version, name })))
        ? []
        : ['the record of migrations changed']),
    ];
  } finally {
    fresh.close();
  }
}

/**
 * An earlier version may have written tables with fewer columns, with another key, or not at all; the next writer folds
 * them again. A table that is missing among current ones was removed.
 */
export function compareTables(specs: readonly TableSpec[], stored: Database, folded: Database): Fault[] {
  const columns = new Map(specs.map((spec) => [spec, columnsOf(spec, stored)]));
  const isEarlier = specs.some((spec) => {
    const found = columns.get(spec) ?? [];
    return found.length > 0 && found.length < Object.keys(spec.columns).length;
  });
  return specs.flatMap((spec) => {
    const found = columns.get(spec) ?? [];
    const hasKey = spec.key.every((column) => found.includes(column));
    return isEarlier && !hasKey ? [] : compareTable(spec, found, stored, folded);
  });
}

/** The columns of a stored table that its projection declares now. */
function columnsOf(spec: TableSpec, stored: Database): readonly string[] {
  const rows = stored.prepare('SELECT name FROM pragma_table_info(?)').all(spec.name) as { name: string }[];
  const known = new Set(rows.map(({ name }) => name));
  return Object.keys(spec.columns).filter((column) => known.has(column));
}

function compareTable(
  spec: TableSpec,
  columns: readonly string[],
  stored: Database,
  folded: Database,
): Fault[] {
  const found = new Map(columns.length === 0 ? [] : rowsOf(spec, columns, stored));
  const faults: Fault[] = [];
  const fault = (name: string, what: string): void => {
    if (faults.length < MAX_ROW_FAULTS) faults.push({ where: `table ${spec.name}, row ${name}`, what });
  };
  for (const [name, row] of rowsOf(spec, columns.length === 0 ? spec.key : columns, folded)) {
    if (!found.has(name)) fault(name, 'is missing');
    else if (found.get(name) !== row) fault(name, 'differs from what its events say');
    found.delete(name);
  }
  for (const name of found.keys()) fault(name, 'is not backed by any event');
  return faults;
}

/** Each row as its key and its content. SQLite builds the texts, which is several times faster than reading each column. */
function* rowsOf(
  spec: TableSpec,
  columns: readonly string[],
  database: Database,
): Generator<[string, string]> {
  const key = spec.key.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  const sql = `SELECT ${key}, json_array(${columns}) FROM ${spec.name}`;
  yield* arrays(database.prepare(sql)).iterate() as unknown as Iterable<[string, string]>;
}
