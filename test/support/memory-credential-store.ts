import type { MemoryTables } from '../../src/ledger/index.ts';
import type { Credential, CredentialStore, LoggedUse } from '../../src/vault/index.ts';
import { toCredential, toLoggedUse } from '../../src/vault/index.ts';

/** Finds credentials in in-memory tables. */
export class MemoryCredentialStore implements CredentialStore {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  async list(): Promise<readonly Credential[]> {
    return this.#tables
      .rows('credentials')
      .sort((a, b) => {
        const [first, second] = [a['name'] as string, b['name'] as string];
        return first === second
          ? (a['added_idx'] as number) - (b['added_idx'] as number)
          : first < second
            ? -1
            : 1;
      })
      .map(toCredential);
  }

  async find(name: string): Promise<Credential | undefined> {
    return (await this.list()).findLast((credential) => credential.name === name);
  }

  async uses(filter: { readonly name?: string; readonly limit: number }): Promise<readonly LoggedUse[]> {
    return this.#tables
      .rows('credential_uses')
      .filter((row) => filter.name === undefined || row['name'] === filter.name)
      .sort((a, b) => (b['idx'] as number) - (a['idx'] as number))
      .slice(0, filter.limit)
      .map(toLoggedUse);
  }
}
