import { canonicalJson, OkaError } from '../kernel/index.ts';
import type { LedgerEvent } from './event.ts';
import type { Projection, Row, RowChange, TableSpec } from './projection.ts';

/** Folded tables as maps. */
export class MemoryTables {
  readonly #projections: readonly Projection[];
  readonly #specs = new Map<string, TableSpec>();
  readonly #tables = new Map<string, Map<string, Row>>();

  constructor(projections: readonly Projection[]) {
    this.#projections = projections;
    for (const table of projections.flatMap((projection) => projection.tables)) {
      this.#specs.set(table.name, table);
      this.#tables.set(table.name, new Map());
    }
  }

  apply(event: LedgerEvent): void {
    for (const projection of this.#projections) {
      if (!projection.types.has(event.type)) continue;
      for (const change of projection.apply(event)) this.#change(change);
    }
  }

  rows(table: string): Row[] {
    return [...this.#table(table).values()];
  }

  get(table: string, key: Row): Row | undefined {
    return this.#table(table).get(this.#key(table, key));
  }

  #change(change: RowChange): void {
    const table = this.#table(change.table);
    if ('put' in change) table.set(this.#key(change.table, change.put), change.put);
    else if ('patch' in change) {
      for (const [key, row] of this.#matching(change.table, change.where))
        table.set(key, { ...row, ...change.patch });
    } else for (const [key] of this.#matching(change.table, change.delete)) table.delete(key);
  }

  #matching(name: string, where: Row): [string, Row][] {
    const table = this.#table(name);
    const key = this.#spec(name).key;
    if (key.every((column) => where[column] !== undefined) && Object.keys(where).length === key.length) {
      const row = table.get(this.#key(name, where));
      return row ? [[this.#key(name, where), row]] : [];
    }
    return [...table].filter(([, row]) =>
      Object.entries(where).every(([column, value]) => row[column] === value),
    );
  }

  #key(name: string, row: Row): string {
    return canonicalJson(this.#spec(name).key.map((column) => row[column] ?? null));
  }

  #table(name: string): Map<string, Row> {
    const table = this.#tables.get(name);
    if (!table) throw new OkaError('kernel.bug', `No projection declares the table ${name}.`);
    return table;
  }

  #spec(name: string): TableSpec {
    return this.#specs.get(name) as TableSpec;
  }
}
