import type { Row } from '../../ledger/index.ts';
import { type Database, prepared, type Value } from './driver.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** A store that reads rows of one database. Statements stay prepared, and errors are translated to OkaErrors. */
export class RowReader {
  protected readonly database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.database = database;
    this.#file = file;
  }

  protected rows(sql: string, ...values: readonly Value[]): Row[] {
    try {
      return prepared(this.database, sql).all(...values) as Row[];
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}
