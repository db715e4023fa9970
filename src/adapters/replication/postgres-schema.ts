import type { ColumnType, Projection, TableSpec } from '../../ledger/index.ts';

const COLUMN_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
  json: 'text',
};

/** A name as SQL takes it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The tables that hold the ledger: one row a place; an archived place keeps only `seq` and `chain`. */
export function ledgerTables(schema: string): readonly string[] {
  const within = quoted(schema);
  return [
    `CREATE TABLE IF NOT EXISTS ${within}.heads (
       workspace text PRIMARY KEY, seq bigint NOT NULL, chain text NOT NULL, fold text, shipped_at timestamptz NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${within}.events (
       workspace text NOT NULL, seq bigint NOT NULL, stream text, idx bigint, type text, at bigint, actor text, ends boolean,
       data text, body text, salt text, body_digest text, chain text NOT NULL, PRIMARY KEY (workspace, seq))`,
    // By digest, because an index takes no long texts.
    `CREATE INDEX IF NOT EXISTS events_by_place ON ${within}.events (workspace, md5(stream), idx)`,
  ];
}

/** The tables that projections fold, each with the workspace in front. Columns are added and never taken away. */
export function foldedTables(schema: string, projections: readonly Projection[]): readonly string[] {
  return projections.flatMap(({ tables }) => tables).flatMap((spec) => foldedTable(schema, spec));
}

function foldedTable(schema: string, spec: TableSpec): string[] {
  const table = `${quoted(schema)}.${quoted(spec.name)}`;
  const columns = Object.entries(spec.columns).map(([name, type]) => `${quoted(name)} ${COLUMN_TYPES[type]}`);
  const key = ['workspace', ...spec.key.map(quoted)].join(', ');
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (workspace text NOT NULL, ${columns.join(', ')}, PRIMARY KEY (${key}))`,
    ...columns.map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column}`),
    ...(spec.indexes ?? []).map((index) => {
      const name = quoted(`${spec.name}_by_${index.join('_')}`);
      const parts = index.map((column) => digestedColumn(spec, column));
      return `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (workspace, ${parts.join(', ')})`;
    }),
  ];
}

/** What a column is found by: texts by their digest, because an index takes no long ones. */
export function digestedColumn(spec: TableSpec, column: string): string {
  return isText(spec, column) ? `md5(${quoted(column)})` : quoted(column);
}

export function isText(spec: TableSpec, column: string): boolean {
  const type = spec.columns[column];
  return type === 'text' || type === 'json';
}

/** The array type of a column, for sending many rows at once. */
export function arrayType(spec: TableSpec, column: string): string {
  return `${COLUMN_TYPES[spec.columns[column] ?? 'text']}[]`;
}
