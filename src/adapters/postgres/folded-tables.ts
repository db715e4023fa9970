import { digestOfJson, type Json, OkaError } from '../../kernel/index.ts';
import {
  type ColumnType,
  ID_TABLES,
  INDEXED_ID_END,
  type LedgerEvent,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../../ledger/index.ts';
import { toStored } from './stored-text.ts';

const COLUMN_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text COLLATE "C"',
  integer: 'bigint',
  real: 'double precision',
  json: 'text COLLATE "C"',
};

export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The tables that projections fold: their definitions, and the statements that events cause. */
export class FoldedTables {
  readonly specs: readonly TableSpec[];
  /** Identifies the shape of all tables, so that a build with other tables is noticed. */
  readonly shape: string;
  readonly #specByName: ReadonlyMap<string, TableSpec>;
  readonly #byType = new Map<string, Projection[]>();

  constructor(projections: readonly Projection[]) {
    this.specs = projections.flatMap(({ tables }) => tables);
    this.shape = digestOfJson(JSON.parse(JSON.stringify(this.specs)) as Json);
    this.#specByName = new Map(this.specs.map((spec) => [spec.name, spec]));
    for (const projection of projections)
      for (const type of projection.types)
        this.#byType.set(type, [...(this.#byType.get(type) ?? []), projection]);
  }

  /** Drops all folded tables and creates them empty. */
  recreate(): readonly string[] {
    return this.specs.flatMap((spec) => [`DROP TABLE IF EXISTS ${spec.name}`, ...createTable(spec)]);
  }

  /** The statements for these events. Equal changes of a table are one statement, until another change of that table. */
  statements(events: Iterable<LedgerEvent>): readonly SqlStatement[] {
    const statements: SqlStatement[] = [];
    const batches = new Map<string, Batch>();
    for (const change of this.#changes(events)) {
      const batch = batches.get(change.table);
      if (batch?.add(change)) continue;
      if (batch !== undefined) statements.push(batch.statement());
      const spec = this.#specByName.get(change.table) as TableSpec;
      batches.set(change.table, batchOf(spec, change));
    }
    for (const batch of batches.values()) statements.push(batch.statement());
    return statements;
  }

  *#changes(events: Iterable<LedgerEvent>): Generator<RowChange> {
    for (const event of events)
      for (const projection of this.#byType.get(event.type) ?? []) yield* projection.apply(event);
  }
}

/** Changes of one table that are one statement. */
interface Batch {
  /** False if the change needs another statement: a statement may change a row only once. */
  add(change: RowChange): boolean;
  statement(): SqlStatement;
}

type Patch = Extract<RowChange, { readonly patch: Row }>;

function batchOf(spec: TableSpec, change: RowChange): Batch {
  if ('put' in change) return new PutRows(spec, change.put);
  if ('patch' in change && isBatchable(change)) return new PatchRows(spec, change);
  return { add: () => false, statement: () => changeStatement(spec, change) };
}

/** A patch of the columns that it is found by could change what the next patch finds. */
function isBatchable({ patch, where }: Patch): boolean {
  return Object.keys(patch).length > 0 && !Object.keys(where).some((column) => column in patch);
}

/** Equal columns of rows that are found by equal columns with different values. */
class PatchRows implements Batch {
  readonly #spec: TableSpec;
  readonly #set: readonly string[];
  readonly #where: readonly string[];
  readonly #keys = new Set<string>();
  readonly #patches: Patch[] = [];

  constructor(spec: TableSpec, patch: Patch) {
    this.#spec = spec;
    this.#set = Object.keys(patch.patch);
    this.#where = Object.keys(patch.where);
    this.add(patch);
  }

  add(change: RowChange): boolean {
    if (!('patch' in change)) return false;
    const isEqual = (columns: readonly string[], row: Row): boolean =>
      Object.keys(row).join() === columns.join();
    if (!isEqual(this.#set, change.patch) || !isEqual(this.#where, change.where)) return false;
    const key = JSON.stringify(Object.values(change.where));
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    this.#patches.push(change);
    return true;
  }

  statement(): SqlStatement {
    const columns = [...this.#set, ...this.#where];
    const arrays = columns.map((column, i) => `$${i + 1}::${typeOf(this.#spec, column)}[]`);
    const set = this.#set.map((column) => `${column} = new.${column}`).join(', ');
    const where = this.#where.map((column) => `old.${column} = new.${column}`).join(' AND ');
    return {
      text: `UPDATE ${this.#spec.name} AS old SET ${set}
        FROM unnest(${arrays.join(', ')}) AS new(${columns.join(', ')}) WHERE ${where}`,
      values: [
        ...this.#set.map((column) => this.#patches.map(({ patch }) => toColumn(patch[column]))),
        ...this.#where.map((column) => this.#patches.map(({ where: found }) => toColumn(found[column]))),
      ],
    };
  }
}

/** Rows for one table, with different keys. */
class PutRows implements Batch {
  readonly #spec: TableSpec;
  readonly #columns: readonly string[];
  readonly #keys = new Set<string>();
  readonly #rows: Row[] = [];

  constructor(spec: TableSpec, row: Row) {
    this.#spec = spec;
    this.#columns = Object.keys(spec.columns);
    this.add({ table: spec.name, put: row });
  }

  add(change: RowChange): boolean {
    if (!('put' in change)) return false;
    const row = change.put;
    const key = JSON.stringify(this.#spec.key.map((column) => row[column]));
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    this.#rows.push(row);
    return true;
  }

  statement(): SqlStatement {
    const { name, key } = this.#spec;
    const arrays = this.#columns.map((column, i) => `$${i + 1}::${typeOf(this.#spec, column)}[]`);
    const rest = this.#columns.filter((column) => !key.includes(column));
    const update =
      rest.length === 0
        ? 'NOTHING'
        : `UPDATE SET ${rest.map((one) => `${one} = excluded.${one}`).join(', ')}`;
    return {
      text: `INSERT INTO ${name} (${this.#columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
        ON CONFLICT (${key.join(', ')}) DO ${update}`,
      values: this.#columns.map((column) => this.#rows.map((row) => toColumn(row[column]))),
    };
  }
}

function changeStatement(spec: TableSpec, change: Exclude<RowChange, { readonly put: Row }>): SqlStatement {
  const values: (string | number | null)[] = [];
  const equal = ([column, value]: [string, Json | undefined]): string => {
    values.push(toColumn(value));
    return `${column} = $${values.length}::${typeOf(spec, column)}`;
  };
  const set = 'patch' in change ? Object.entries(change.patch).map(equal).join(', ') : '';
  const where = Object.entries('patch' in change ? change.where : change.delete)
    .map(equal)
    .join(' AND ');
  const text =
    set === '' ? `DELETE FROM ${spec.name} WHERE ${where}` : `UPDATE ${spec.name} SET ${set} WHERE ${where}`;
  return { text, values };
}

function createTable(spec: TableSpec): string[] {
  const columns = Object.entries(spec.columns).map(([name, type]) => `${name} ${COLUMN_TYPES[type]}`);
  return [
    `CREATE TABLE ${spec.name} (${columns.join(', ')}, PRIMARY KEY (${spec.key.join(', ')}))`,
    ...(spec.indexes ?? []).map(
      (index) => `CREATE INDEX ${spec.name}_by_${index.join('_')} ON ${spec.name} (${index.join(', ')})`,
    ),
    ...ID_TABLES.filter((table) => table === spec.name).map(
      (table) => `CREATE INDEX ${table}_by_id_end ON ${table} (right(id, ${INDEXED_ID_END}))`,
    ),
  ];
}

function typeOf(spec: TableSpec, column: string): string {
  const type = spec.columns[column] ?? 'text';
  return type === 'integer' ? 'bigint' : type === 'real' ? 'double precision' : 'text';
}

function toColumn(value: Json | undefined): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object')
    throw new OkaError('kernel.bug', 'A folded row contains an object. Columns of type json need text.');
  return typeof value === 'string' ? toStored(value) : value;
}
