import type { Json } from '../kernel/index.ts';
import type { LedgerEvent } from './event.ts';

/** A `json` column holds JSON text written by the reducer. */
export type ColumnType = 'text' | 'integer' | 'real' | 'json';

/** The schema of a folded table, independent of the store. */
export interface TableSpec {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
}

export type Row = Readonly<Record<string, Json | undefined>>;

/** One change to a folded table. `delete` and `patch` select rows by equality on the given columns. */
export type RowChange =
  | { readonly table: string; readonly put: Row }
  | { readonly table: string; readonly patch: Row; readonly where: Row }
  | { readonly table: string; readonly delete: Row };

/**
 * A pure fold of events into tables, the same live and on rebuild. It receives only events of the listed types. List
 * `body.erased` and `stream.archived` if the table holds content that they remove.
 */
export interface Projection {
  readonly name: string;
  readonly tables: readonly TableSpec[];
  readonly types: ReadonlySet<string>;
  apply(event: LedgerEvent): readonly RowChange[];
}
