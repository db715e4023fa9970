import type { Row } from '../../ledger/index.ts';
import {
  type Credential,
  type CredentialStore,
  type LoggedUse,
  toCredential,
  toLoggedUse,
} from '../../vault/index.ts';

export interface Queryable {
  prepare(sql: string): { all(...values: (string | number)[]): unknown };
}

/** Finds credentials in the projection tables of a database. */
export class CredentialTable implements CredentialStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  async list(): Promise<readonly Credential[]> {
    return this.#all('SELECT * FROM credentials ORDER BY name, added_idx').map(toCredential);
  }

  async find(name: string): Promise<Credential | undefined> {
    const sql = 'SELECT * FROM credentials WHERE name = ? ORDER BY added_idx DESC LIMIT 1';
    return this.#all(sql, name).map(toCredential)[0];
  }

  async uses({ name, limit }: Parameters<CredentialStore['uses']>[0]): Promise<readonly LoggedUse[]> {
    const rows =
      name === undefined
        ? this.#all('SELECT * FROM credential_uses ORDER BY idx DESC LIMIT ?', limit)
        : this.#all('SELECT * FROM credential_uses WHERE name = ? ORDER BY idx DESC LIMIT ?', name, limit);
    return rows.map(toLoggedUse);
  }

  #all(sql: string, ...values: (string | number)[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }
}
