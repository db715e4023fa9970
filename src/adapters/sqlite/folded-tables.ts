import { type Json, OkaError } from '../../kernel/index.ts';
import type { LedgerEvent, Projection, Row, RowChange, TableSpec } from '../../ledger/index.ts';
import type { Database, Statement, Value } from './driver.ts';

/** Updates the tables that projections fold, in the transaction of their events. */
export class FoldedTables {
  readonly #database: Database;
  readonly #projections: readonly Projection[];
  readonly #byType = new Map<string, readonly Projection[]>();
  readonly statements: PreparedStatements;

  constructor(database: Database, projections: readonly Projection[]) {
    this.#database = database;
    this.#projections = projections;
    this.statements = new PreparedStatements(database);
    for (const projection of projections) {
      for (const type of projection.types)
        this.#byType.set(type, [...(this.#byType.get(type) ?? []), projection]);
    }
  }

  get specs(): readonly TableSpec[] {
    return this.#projections.flatMap((projection) => projection.tables);
  }

  /** Whether each table exists in the shape that its projection declares now. */
  isCurrent(): boolean {
    const stored = this.#database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?');
    return this.specs.flatMap(createStatements).every(({ name, sql }) => {
      const found = stored.get(name) as { sql: string } | undefined;
      return found?.sql === sql;
    });
  }

  /** Creates the tables; none of them may exist. */
  ensure(): void {
    for (const { sql } of this.specs.flatMap(createStatements)) this.#database.exec(sql);
  }

  apply(event: LedgerEvent): void {
    const projections = this.#byType.get(event.type);
    if (projections === undefined) return;
    for (const projection of projections)
      for (const change of projection.apply(event)) applyChange(change, this.statements);
  }
}

function applyChange(change: RowChange, statements: PreparedStatements): void {
  if ('put' in change) {
    const columns = Object.keys(change.put);
    const sql = `INSERT OR REPLACE INTO ${change.table} (${columns}) VALUES (${columns.map(() => '?')})`;
    statements.run(sql, ...valuesOf(change.put));
  } else if ('patch' in change) {
    const set = Object.keys(change.patch).map((column) => `${column} = ?`);
    const sql = `UPDATE ${change.table} SET ${set} WHERE ${equal(change.where)}`;
    statements.run(sql, ...valuesOf(change.patch), ...valuesOf(change.where));
  } else
    statements.run(`DELETE FROM ${change.table} WHERE ${equal(change.delete)}`, ...valuesOf(change.delete));
}

/** The statements that create a table and its indexes, in the form in which SQLite stores them. */
function createStatements(spec: TableSpec): { readonly name: string; readonly sql: string }[] {
  const columns = Object.entries(spec.columns).map(
    ([name, type]) => `${name} ${type === 'json' ? 'TEXT' : type.toUpperCase()}`,
  );
  const table = {
    name: spec.name,
    sql: `CREATE TABLE ${spec.name} (${columns}, PRIMARY KEY (${spec.key})) STRICT`,
  };
  const indexes = (spec.indexes ?? []).map((index) => {
    const name = `${spec.name}_by_${index.join('_')}`;
    return { name, sql: `CREATE INDEX ${name} ON ${spec.name} (${index})` };
  });
  return [table, ...indexes];
}

function equal(where: Row): string {
  return Object.keys(where)
    .map((column) => `${column} = ?`)
    .join(' AND ');
}

function valuesOf(row: Row): Value[] {
  return Object.values(row).map(toColumn);
}

function toColumn(value: Json | undefined): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object')
    throw new OkaError('kernel.bug', 'A folded row contains an object. Columns of type json need text.');
  return value;
}

/** Runs statements and prepares each only once. */
export class PreparedStatements {
  readonly #database: Database;
  readonly #prepared = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  run(sql: string, ...values: readonly Value[]): void {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    statement.run(...values);
  }
}
