import type { Row, SqlDialect, SqlTables, SqlValue } from '../../ledger/index.ts';

/** A store that reads rows of the tables of one ledger. */
export class RowReader {
  protected readonly tables: SqlTables;

  constructor(tables: SqlTables) {
    this.tables = tables;
  }

  protected get dialect(): SqlDialect {
    return this.tables.dialect;
  }

  protected rows(sql: string, ...values: readonly SqlValue[]): Promise<Row[]> {
    return this.tables.rows(sql, ...values);
  }
}
