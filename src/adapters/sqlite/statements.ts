import type { Database, Statement } from './driver.ts';

/** What a column may hold. */
export type Value = null | number | string;

/** Takes statements that change tables, in order. */
export interface StatementSink {
  run(sql: string, ...values: readonly Value[]): void;
}

/** Runs statements at once, each prepared only the first time. */
export class PreparedStatements implements StatementSink {
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

/** Statements that are to be run elsewhere, in flat lists, which reach another thread quickly. */
export interface StatementList {
  /** Each statement once, with how many values it takes. */
  readonly statements: readonly { readonly sql: string; readonly width: number }[];
  /** The place in `statements` of each call. */
  readonly calls: readonly number[];
  /** The values of all calls, one after the other. */
  readonly values: readonly Value[];
}

/** Writes statements down instead of running them. */
export class StatementNotes implements StatementSink {
  readonly #statements: { readonly sql: string; readonly width: number }[] = [];
  readonly #calls: number[] = [];
  readonly #values: Value[] = [];
  readonly #places = new Map<string, number>();

  get list(): StatementList {
    return { statements: this.#statements, calls: this.#calls, values: this.#values };
  }

  run(sql: string, ...values: readonly Value[]): void {
    let place = this.#places.get(sql);
    if (place === undefined) {
      place = this.#statements.push({ sql, width: values.length }) - 1;
      this.#places.set(sql, place);
    }
    this.#calls.push(place);
    for (const value of values) this.#values.push(value);
  }
}
