import type { Row } from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** A bindable value. */
export type Value = string | number | null;

/** Reads rows of one database. Statements stay prepared, and errors are translated to OkaErrors. */
export class RowReader {
  readonly #database: Database;
  readonly #file: string;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  all(sql: string, ...values: readonly Value[]): Row[] {
    try {
      let statement = this.#statements.get(sql);
      if (statement === undefined) {
        statement = this.#database.prepare(sql);
        this.#statements.set(sql, statement);
      }
      return statement.all(...values) as Row[];
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}
