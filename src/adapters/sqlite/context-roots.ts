import { type KnownRoot, type RootRecords, rootOfRow } from '../../context/index.ts';
import type { Row } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** Reads roots from the table that `rootProjection` folds. */
export class SqliteContextRoots implements RootRecords {
  readonly #database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  async newest(): Promise<KnownRoot | undefined> {
    return this.#rows('ORDER BY idx DESC LIMIT 1')[0];
  }

  async all(): Promise<readonly KnownRoot[]> {
    return this.#rows('ORDER BY idx');
  }

  #rows(order: string): KnownRoot[] {
    try {
      return (this.#database.prepare(`SELECT * FROM context_roots ${order}`).all() as Row[]).map(rootOfRow);
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}
