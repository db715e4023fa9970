// Owns: the keys of models that hold for all workspaces of the user. It is the same vault as that of a workspace, on a ledger of
// the user's own in OKA_HOME, so that values are encrypted and uses are recorded in the same way.
import type { UserFolder } from '../../adapters/workspace/index.ts';
import type { CredentialUse, Owners } from '../../engine/index.ts';
import type { Clock, Ids, Random, Redactor } from '../../kernel/index.ts';
import type { Vault } from '../../vault/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { SqliteLedger } from '../ledger/sqlite-ledger.ts';
import { openVault } from './vault.ts';

interface UserVaultParts {
  readonly user: UserFolder;
  readonly home: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly owners: Owners;
  readonly redactor: Redactor;
  readonly warn: (message: string) => void;
}

interface StoredKey {
  readonly name: string;
  readonly value: string;
  readonly provider: string;
  readonly scopes: readonly string[];
  readonly by: string;
}

interface Opened {
  readonly ledger: OpenLedger;
  readonly vault: Vault;
  close(): Promise<void>;
}

export class UserVault {
  readonly #parts: UserVaultParts;
  #opened: Promise<Opened> | undefined;

  constructor(parts: UserVaultParts) {
    this.#parts = parts;
  }

  /** Stores the key of a provider, or replaces it. */
  async store({ name, value, provider, scopes, by }: StoredKey): Promise<void> {
    this.#parts.user.createVaultFolder();
    const { vault } = await this.#open();
    const known = (await vault.list()).find((one) => one.name === name && one.status !== 'revoked');
    if (known === undefined) await vault.add({ name, value, provider, scopes, by });
    else await vault.rotate({ name, value, by });
  }

  async has(name: string): Promise<boolean> {
    if (!this.#exists) return false;
    const { vault } = await this.#open();
    return (await vault.list()).some((one) => one.name === name && one.status === 'active');
  }

  /** The value for a use that its scopes allow; undefined if there is no such key. */
  async resolve(name: string, use: CredentialUse): Promise<string | undefined> {
    return (await this.has(name)) ? (await this.#open()).vault.resolve(name, use) : undefined;
  }

  /** Erases a key, if there is one. */
  async revoke(name: string, by: string): Promise<boolean> {
    if (!(await this.has(name))) return false;
    await (await this.#open()).vault.revoke(name, by);
    return true;
  }

  /** Adds every value to the redactor. Returns the problems. */
  async primeRedactor(redactor: Redactor): Promise<readonly string[]> {
    if (!this.#exists) return [];
    return (await (await this.#open()).vault.primeRedactor(redactor)).problems;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.close();
  }

  get #exists(): boolean {
    return this.#parts.user.vaultFolder().hasVault;
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#openNow();
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  async #openNow(): Promise<Opened> {
    const { user, home, clock, random, ids, owners, redactor, warn } = this.#parts;
    const folder = user.vaultFolder();
    folder.makePrivate();
    const ledger = new SqliteLedger(folder, { clock, random, owners, redactor, onWarning: warn });
    for (const what of await ledger.startWriting()) warn(what);
    const { vault, secrets } = openVault({ directory: folder.directory, home, clock, ids, redactor }, ledger);
    return {
      ledger,
      vault,
      close: async () => {
        secrets.close();
        await ledger.close();
      },
    };
  }
}
