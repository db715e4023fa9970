import type { Row, SqlDialect, SqlTables, SqlValue } from '../../ledger/index.ts';
import { type Database, prepared } from './driver.ts';
import { translateSqliteError } from './sqlite-error.ts';

const dialect: SqlDialect = {
  name: 'sqlite',
  listed: (parameter) => `SELECT value FROM json_each(${parameter})`,
  each: (parameter, alias) => `json_each(${parameter}) AS ${alias}`,
  eachIn: (column, alias, path) =>
    `json_each(${column}${path === undefined ? '' : `, '$.${path}'`}) AS ${alias}`,
  member: (column, path) => `json_extract(${column}, '$.${path}')`,
  numberIn: (column, path) => `json_extract(${column}, '$.${path}')`,
  orderedJoin: 'CROSS JOIN',
  unindexed: (column) => `+${column}`,
  day: (column) => `date(${column} / 1000, 'unixepoch')`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
  end: (column, length) => `substr(${column}, -(${length}))`,
};

/** The tables of a SQLite ledger. Statements stay prepared, and errors are translated to OkaErrors. */
export class SqliteTables implements SqlTables {
  readonly dialect = dialect;
  readonly #database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  async rows(sql: string, ...values: readonly SqlValue[]): Promise<Row[]> {
    return this.#translated(() => prepared(this.#database, sql).all(...values) as Row[]);
  }

  async change(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return this.#translated(() => Number(prepared(this.#database, sql).run(...values).changes));
  }

  #translated<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}
