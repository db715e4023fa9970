import type { ColumnType, Projection, TableSpec } from '../../ledger/index.ts';

const COLUMN_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
  json: 'text',
};

/** Quotes an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The ledger tables: one row per position; an archived position keeps only `seq` and `chain`. */
export function ledgerTables(schema: string): readonly string[] {
  const within = quoted(schema);
  return [
    `CREATE TABLE IF NOT EXISTS ${within}.heads (
       workspace text PRIMARY KEY, seq bigint NOT NULL, chain text NOT NULL, fold text, shipped_at timestamptz NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${within}.events (
       workspace text NOT NULL, seq bigint NOT NULL, stream text, idx bigint, type text, at bigint, actor text, ends boolean,
       data text, body text, salt text, body_digest text, chain text NOT NULL, PRIMARY KEY (workspace, seq))`,
    // Indexed by digest, because index entries have a size limit.
    `CREATE INDEX IF NOT EXISTS events_by_place ON ${within}.events (workspace, md5(stream), idx)`,
  ];
}

/**
 * The projection tables, each with a workspace column. Columns are added but never removed. A table with another key is
 * created again; each workspace folds its rows again with its next batch.
 */
export function foldedTables(schema: string, projections: readonly Projection[]): readonly string[] {
  return projections.flatMap(({ tables }) => tables).flatMap((spec) => foldedTable(schema, spec));
}

function foldedTable(schema: string, spec: TableSpec): string[] {
  const table = `${quoted(schema)}.${quoted(spec.name)}`;
  const columns = Object.entries(spec.columns).map(([name, type]) => `${quoted(name)} ${COLUMN_TYPES[type]}`);
  const key = ['workspace', ...spec.key.map(quoted)].join(', ');
  const stored = `to_regclass('${table.replaceAll("'", "''")}')`;
  const names = ['workspace', ...spec.key].map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  return [
    `DO $key$ BEGIN IF ${stored} IS NOT NULL AND ARRAY(SELECT attname::text FROM pg_index
       JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) WHERE indrelid = ${stored} AND indisprimary
       ORDER BY 1) IS DISTINCT FROM ARRAY(SELECT name FROM unnest(ARRAY[${names}]::text[]) AS name ORDER BY 1)
       THEN DROP TABLE ${table}; END IF; END $key$`,
    `CREATE TABLE IF NOT EXISTS ${table} (workspace text NOT NULL, ${columns.join(', ')}, PRIMARY KEY (${key}))`,
    ...columns.map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column}`),
    ...(spec.indexes ?? []).map((index) => {
      const name = quoted(`${spec.name}_by_${index.join('_')}`);
      const parts = index.map((column) => digestedColumn(spec, column));
      return `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (workspace, ${parts.join(', ')})`;
    }),
  ];
}

/** The indexed expression of a column: texts by digest, because index entries have a size limit. */
export function digestedColumn(spec: TableSpec, column: string): string {
  return isText(spec, column) ? `md5(${quoted(column)})` : quoted(column);
}

export function isText(spec: TableSpec, column: string): boolean {
  const type = spec.columns[column];
  return type === 'text' || type === 'json';
}

/** The array type of a column, for batched inserts. */
export function arrayType(spec: TableSpec, column: string): string {
  return `${COLUMN_TYPES[spec.columns[column] ?? 'text']}[]`;
}
