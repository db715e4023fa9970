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

  /** The statements for these events. Puts to a table are batched until another change of that table. */
  statements(events: Iterable<LedgerEvent>): readonly SqlStatement[] {
    const statements: SqlStatement[] = [];
    const puts = new Map<string, PutRows>();
    const flush = (table: string): void => {
      const rows = puts.get(table);
      if (rows !== undefined) statements.push(rows.statement());
      puts.delete(table);
    };
    for (const change of this.#changes(events)) {
      const spec = this.#specByName.get(change.table) as TableSpec;
      if ('put' in change) {
        if (puts.get(change.table)?.add(change.put)) continue;
        flush(change.table);
        puts.set(change.table, new PutRows(spec, change.put));
      } else {
        flush(change.table);
        statements.push(changeStatement(spec, change));
      }
    }
    for (const table of [...puts.keys()]) flush(table);
    return statements;
  }

  *#changes(events: Iterable<LedgerEvent>): Generator<RowChange> {
    for (const event of events)
      for (const projection of this.#byType.get(event.type) ?? []) yield* projection.apply(event);
  }
}

/** Rows for one table, with different keys. */
class PutRows {
  readonly #spec: TableSpec;
  readonly #columns: readonly string[];
  readonly #keys = new Set<string>();
  readonly #rows: Row[] = [];

  constructor(spec: TableSpec, row: Row) {
    this.#spec = spec;
    this.#columns = Object.keys(spec.columns);
    this.add(row);
  }

  /** False if the row needs a statement of its own: a statement may change a row only once. */
  add(row: Row): boolean {
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
