import { type KnownRoot, type RootRecords, rootOfRow } from '../../context/index.ts';
import { RowReader } from './row-reader.ts';

/** Reads roots from the table that `rootProjection` folds. */
export class SqlContextRoots extends RowReader implements RootRecords {
  async newest(): Promise<KnownRoot | undefined> {
    return (await this.rows('SELECT * FROM context_roots ORDER BY idx DESC LIMIT 1')).map(rootOfRow)[0];
  }

  async all(): Promise<readonly KnownRoot[]> {
    return (await this.rows('SELECT * FROM context_roots ORDER BY idx')).map(rootOfRow);
  }
}
