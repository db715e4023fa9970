import {
  type Credential,
  type CredentialStore,
  type LoggedUse,
  toCredential,
  toLoggedUse,
} from '../../vault/index.ts';
import { RowReader } from './row-reader.ts';

/** Finds credentials in the folded tables. */
export class SqlCredentialStore extends RowReader implements CredentialStore {
  async list(): Promise<readonly Credential[]> {
    return (await this.rows('SELECT * FROM credentials ORDER BY name, added_idx')).map(toCredential);
  }

  async find(name: string): Promise<Credential | undefined> {
    const sql = 'SELECT * FROM credentials WHERE name = ? ORDER BY added_idx DESC LIMIT 1';
    return (await this.rows(sql, name)).map(toCredential)[0];
  }

  async uses({ name, limit }: Parameters<CredentialStore['uses']>[0]): Promise<readonly LoggedUse[]> {
    const rows =
      name === undefined
        ? await this.rows('SELECT * FROM credential_uses ORDER BY idx DESC LIMIT ?', limit)
        : await this.rows(
            'SELECT * FROM credential_uses WHERE name = ? ORDER BY idx DESC LIMIT ?',
            name,
            limit,
          );
    return rows.map(toLoggedUse);
  }
}
