import type { Json } from '../../kernel/index.ts';
import {
  changesOf,
  type MirrorRecord,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../../ledger/index.ts';
import type { ReplicaPlace } from './postgres-events.ts';
import { arrayType, digestedColumn, isText, quoted } from './postgres-schema.ts';

type Puts = { readonly spec: TableSpec; readonly rows: Map<string, Row> };

/** Folds records into the tables of a workspace, in order; consecutive puts are batched. */
export async function foldRecords(
  place: ReplicaPlace,
  projections: readonly Projection[],
  records: readonly MirrorRecord[],
): Promise<void> {
  const specs = new Map(projections.flatMap(({ tables }) => tables).map((spec) => [spec.name, spec]));
  let puts: Puts | undefined;
  const flush = async (): Promise<void> => {
    if (puts) await putRows(place, puts.spec, [...puts.rows.values()]);
    puts = undefined;
  };
  for (const { change } of changesOf(records, projections)) {
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
export async function clearRows(place: ReplicaPlace, projections: readonly Projection[]): Promise<void> {
  for (const spec of projections.flatMap(({ tables }) => tables))
    await place.client.query(`DELETE FROM ${tableOf(place, spec)} WHERE workspace = $1`, [place.workspace]);
}

/** The number of folded rows of a workspace, by table. */
export async function countRows(
  place: ReplicaPlace,
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

async function putRows(place: ReplicaPlace, spec: TableSpec, rows: readonly Row[]): Promise<void> {
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
  place: ReplicaPlace,
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

function tableOf({ schema }: ReplicaPlace, spec: TableSpec): string {
  return `${quoted(schema)}.${quoted(spec.name)}`;
}

function toColumn(value: Json | undefined): null | number | string {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // PostgreSQL text cannot contain NUL; the event keeps it.
  return typeof value === 'number' ? value : String(value).replaceAll('\u0000', '\uFFFD');
}
