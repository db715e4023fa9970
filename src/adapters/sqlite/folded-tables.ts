import { type Json, OkaError } from '../../kernel/index.ts';
import type { LedgerEvent, Projection, Row, RowChange, TableSpec } from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';

/** Keeps the tables that projections fold, in the transaction of the events they come from. */
export class FoldedTables {
  readonly #database: Database;
  readonly #projections: readonly Projection[];
  readonly #byType = new Map<string, readonly Projection[]>();
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database, projections: readonly Projection[]) {
    this.#database = database;
    this.#projections = projections;
    for (const projection of projections) {
      for (const type of projection.types)
        this.#byType.set(type, [...(this.#byType.get(type) ?? []), projection]);
    }
  }

  get specs(): readonly TableSpec[] {
    return this.#projections.flatMap((projection) => projection.tables);
  }

  isMissingAny(): boolean {
    const known = this.#database.prepare(
      "SELECT count(*) AS found FROM sqlite_schema WHERE type = 'table' AND name = ?",
    );
    return this.specs.some((spec) => (known.get(spec.name) as { found: number }).found === 0);
  }

  /** Creates the tables; none of them may be there. */
  ensure(): void {
    for (const spec of this.specs) this.#database.exec(createTable(spec));
  }

  /** Whether events of this type change a table. */
  folds(type: string): boolean {
    return this.#byType.has(type);
  }

  apply(event: LedgerEvent): void {
    const projections = this.#byType.get(event.type);
    if (projections === undefined) return;
    for (const projection of projections) for (const change of projection.apply(event)) this.#change(change);
  }

  #change(change: RowChange): void {
    if ('put' in change) {
      const columns = Object.keys(change.put);
      this.#run(
        `INSERT OR REPLACE INTO ${change.table} (${columns}) VALUES (${columns.map(() => '?')})`,
        change.put,
      );
    } else if ('patch' in change) {
      const set = Object.keys(change.patch).map((column) => `${column} = ?`);
      this.#run(`UPDATE ${change.table} SET ${set} WHERE ${equal(change.where)}`, change.patch, change.where);
    } else this.#run(`DELETE FROM ${change.table} WHERE ${equal(change.delete)}`, change.delete);
  }

  #run(sql: string, ...rows: readonly Row[]): void {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    statement.run(...rows.flatMap((row) => Object.values(row).map(toColumn)));
  }
}

function createTable(spec: TableSpec): string {
  const columns = Object.entries(spec.columns).map(
    ([name, type]) => `${name} ${type === 'json' ? 'TEXT' : type.toUpperCase()}`,
  );
  const indexes = (spec.indexes ?? []).map(
    (index) => `CREATE INDEX ${spec.name}_by_${index.join('_')} ON ${spec.name} (${index});`,
  );
  return `CREATE TABLE ${spec.name} (${columns}, PRIMARY KEY (${spec.key})) STRICT; ${indexes.join(' ')}`;
}

function equal(where: Row): string {
  return Object.keys(where)
    .map((column) => `${column} = ?`)
    .join(' AND ');
}

function toColumn(value: Json | undefined): null | number | string {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object')
    throw new OkaError('kernel.bug', 'a folded row holds an object; columns of type json take text.');
  return value;
}
