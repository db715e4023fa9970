import type { Database, Statement } from './driver.ts';

/** The value of a column. */
export type Value = null | number | string;

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
