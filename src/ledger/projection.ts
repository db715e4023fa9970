import type { Json } from '../kernel/index.ts';
import type { LedgerEvent } from './event.ts';

/** A `json` column holds JSON as text, which the reducer writes. */
export type ColumnType = 'text' | 'integer' | 'real' | 'json';

/** A folded table, described so that every store can keep it. */
export interface TableSpec {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
}

export type Row = Readonly<Record<string, Json | undefined>>;

/** One change of one folded table. `delete` and `patch` address rows by equality on the given columns. */
export type RowChange =
  | { readonly table: string; readonly put: Row }
  | { readonly table: string; readonly patch: Row; readonly where: Row }
  | { readonly table: string; readonly delete: Row };

/**
 * A fold of events into tables: pure, the same live and on rebuild. Only events of the listed types are handed to it;
 * ledger housekeeping (`body.erased`, `stream.archived`) must be listed where the table holds what they take away.
 */
export interface Projection {
  readonly name: string;
  readonly tables: readonly TableSpec[];
  readonly types: ReadonlySet<string>;
  apply(event: LedgerEvent): readonly RowChange[];
}
