import { type KnownRoot, type RootRecords, rootOfRow } from '../../context/index.ts';
import { RowReader } from './row-reader.ts';

/** Reads roots from the table that `rootProjection` folds. */
export class SqliteContextRoots extends RowReader implements RootRecords {
  async newest(): Promise<KnownRoot | undefined> {
    return this.rows('SELECT * FROM context_roots ORDER BY idx DESC LIMIT 1').map(rootOfRow)[0];
  }

  async all(): Promise<readonly KnownRoot[]> {
    return this.rows('SELECT * FROM context_roots ORDER BY idx').map(rootOfRow);
  }
}
