import type { ClientBase } from 'pg';
import type { Json } from '../../kernel/index.ts';
import type { Projection, Row, RowChange, TableSpec } from '../../ledger/index.ts';
import { arrayType, digestedColumn, isText, quoted } from './postgres-schema.ts';

export interface FoldTarget {
  readonly client: ClientBase;
  readonly schema: string;
  readonly workspace: string;
}

type Puts = { readonly spec: TableSpec; readonly rows: Map<string, Row> };

/** Applies changes to the folded tables of a workspace, in order; consecutive puts are batched. */
export async function applyChanges(
  place: FoldTarget,
  projections: readonly Projection[],
  changes: readonly RowChange[],
): Promise<void> {
  const specs = new Map(projections.flatMap(({ tables }) => tables).map((spec) => [spec.name, spec]));
  let puts: Puts | undefined;
  const flush = async (): Promise<void> => {
    if (puts) await putRows(place, puts.spec, [...puts.rows.values()]);
    puts = undefined;
  };
  for (const change of changes) {
    const spec = specs.get(change.table) as TableSpec;
    if (!('put' in change)) {
      await flush();
      await changeRows(place, spec, change);
      continue;
    }
    const key = JSON.stringify(spec.key.map((column) => change.put[column]));
    // A statement may change a row only once.
    if (puts?.spec !== spec || puts.rows.has(key)) await flush();
    puts ??= { spec, rows: new Map() };
    puts.rows.set(key, change.put);
  }
  await flush();
}

/** Deletes every folded row of a workspace. */
export async function clearRows(place: FoldTarget, projections: readonly Projection[]): Promise<void> {
  for (const spec of projections.flatMap(({ tables }) => tables))
    await place.client.query(`DELETE FROM ${tableOf(place, spec)} WHERE workspace = $1`, [place.workspace]);
}

/** The number of folded rows of a workspace, by table. */
export async function countRows(
  place: FoldTarget,
  projections: readonly Projection[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const spec of projections.flatMap(({ tables }) => tables)) {
    const { rows } = await place.client.query<{ n: string }>(
      `SELECT count(*) AS n FROM ${tableOf(place, spec)} WHERE workspace = $1`,
      [place.workspace],
    );
    counts[spec.name] = Number(rows[0]?.n);
  }
  return counts;
}

async function putRows(place: FoldTarget, spec: TableSpec, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(spec.columns);
  const names = columns.map(quoted);
  const arrays = columns.map((column, i) => `$${i + 2}::${arrayType(spec, column)}`);
  const key = ['workspace', ...spec.key.map(quoted)];
  const rest = columns.filter((column) => !spec.key.includes(column)).map(quoted);
  const update = rest.map((name) => `${name} = excluded.${name}`).join(', ');
  await place.client.query(
    `INSERT INTO ${tableOf(place, spec)} (workspace, ${names.join(', ')})
     SELECT $1, * FROM unnest(${arrays.join(', ')})
     ON CONFLICT (${key.join(', ')}) DO ${update === '' ? 'NOTHING' : `UPDATE SET ${update}`}`,
    [place.workspace, ...columns.map((column) => rows.map((row) => toColumn(row[column])))],
  );
}

async function changeRows(
  place: FoldTarget,
  spec: TableSpec,
  change: Exclude<RowChange, { readonly put: Row }>,
): Promise<void> {
  const values: (null | number | string)[] = [];
  const bind = (value: Json | undefined): string => `$${values.push(toColumn(value)) + 1}`;
  const patch = 'patch' in change ? change.patch : undefined;
  const set = Object.entries(patch ?? {}).map(([column, value]) => `${quoted(column)} = ${bind(value)}`);
  const where = Object.entries('patch' in change ? change.where : change.delete).flatMap(
    ([column, value]) => {
      const bound = `${bind(value)}${isText(spec, column) ? '::text' : '::bigint'}`;
      const equal = `${quoted(column)} = ${bound}`;
      return isText(spec, column) ? [equal, `${digestedColumn(spec, column)} = md5(${bound})`] : [equal];
    },
  );
  const rows = `WHERE ${['workspace = $1', ...where].join(' AND ')}`;
  const table = tableOf(place, spec);
  const sql = patch ? `UPDATE ${table} SET ${set.join(', ')} ${rows}` : `DELETE FROM ${table} ${rows}`;
  await place.client.query(sql, [place.workspace, ...values]);
}

function tableOf({ schema }: FoldTarget, spec: TableSpec): string {
  return `${quoted(schema)}.${quoted(spec.name)}`;
}

function toColumn(value: Json | undefined): null | number | string {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // PostgreSQL text cannot contain NUL; the event keeps it.
  return typeof value === 'number' ? value : String(value).replaceAll('\u0000', '\uFFFD');
}
