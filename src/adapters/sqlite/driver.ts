import type { DatabaseSync } from '@photostructure/sqlite';

export type Database = InstanceType<typeof DatabaseSync>;
export type Statement = ReturnType<Database['prepare']>;

/** A bindable value. */
export type Value = string | number | null;

const statements = new WeakMap<Database, Map<string, Statement>>();

/** Prepares a statement once per database. */
export function prepared(database: Database, sql: string): Statement {
  const known = statements.get(database) ?? new Map<string, Statement>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** Makes a statement return rows as arrays. */
export function arrays(statement: Statement): Statement {
  statement.setReturnArrays(true);
  return statement;
}

/** Runs `work` in a write transaction, which `work` may already end itself. */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    if (database.isTransaction) database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Ends a read transaction. The driver keeps a closed connection until its statements are garbage-collected, and an open
 * transaction would keep erased content in the write-ahead log until then.
 */
export function endRead(database: Database): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // A damaged file may reject even this; its faults are already known by then.
  }
}
