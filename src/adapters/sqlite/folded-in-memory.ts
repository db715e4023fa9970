import { DatabaseSync } from '@photostructure/sqlite';
import type { LedgerEvent, Projection, Row, TableSpec } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { FoldedTables } from './folded-tables.ts';

/** Folds events into tables in memory, to compare them with stored ones. */
export class FoldedInMemory {
  readonly #database: Database = new DatabaseSync(':memory:');
  readonly #tables: FoldedTables;

  constructor(projections: readonly Projection[]) {
    this.#tables = new FoldedTables(this.#database, projections);
    this.#tables.ensure();
    this.#database.exec('BEGIN');
  }

  get specs(): readonly TableSpec[] {
    return this.#tables.specs;
  }

  apply(event: LedgerEvent): void {
    this.#tables.apply(event);
  }

  rows(sql: string): Iterable<Row> {
    return this.#database.prepare(sql).iterate() as Iterable<Row>;
  }

  close(): void {
    this.#database.close();
  }
}
