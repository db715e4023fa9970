import type { Row } from './projection.ts';

export type SqlValue = string | number | null;

/**
 * Where the databases of a ledger differ in their SQL. Everything else is written so that each understands it: parameters
 * are `?` or `?1`, booleans are 0 and 1, counts use FILTER, and texts sort by their bytes.
 */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** A query for the texts of a JSON array, to be used after IN: `IN (${listed('?')})`. */
  listed(parameter: string): string;
  /** A JSON array as a table with the column `value`, to be used after FROM. */
  each(parameter: string, alias: string, type?: 'text' | 'integer'): string;
  /** The same for an array inside a JSON column; `path` is such as `with.runs`. */
  eachIn(column: string, alias: string, path?: string): string;
  /** The text of a member of a JSON column; `path` is such as `lineage.forkedFrom`. */
  member(column: string, path: string): string;
  /** The number of a member of a JSON column. */
  numberIn(column: string, path: string): string;
  /** Keeps the order of a join in SQLite, so that it uses the index of the second table. */
  readonly orderedJoin: string;
  /** Hides a column from the choice of an index in SQLite. */
  unindexed(column: string): string;
  /** The day of a time in milliseconds, such as 2026-01-31. */
  day(column: string): string;
  /** Whether a text contains another. */
  contains(column: string, text: string): string;
  /** The last characters of a text. */
  end(column: string, length: string): string;
}

/** The tables whose rows people name by a part of their id. */
export const ID_TABLES = ['runs', 'simulations', 'approvals', 'facts', 'quarantined_facts'] as const;
export type IdTable = (typeof ID_TABLES)[number];

/** The indexed end of an id. A part is at least as long. */
export const INDEXED_ID_END = 4;

/** The tables of a ledger: the folded ones, events and streams to read; snapshots, caches and leases also to change. */
export interface SqlTables {
  readonly dialect: SqlDialect;
  rows(sql: string, ...values: readonly SqlValue[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  change(sql: string, ...values: readonly SqlValue[]): Promise<number>;
}
