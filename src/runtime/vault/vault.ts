import { join } from 'node:path';
import { SqlCredentialStore } from '../../adapters/sql/index.ts';
import { EncryptedSecrets, type Exclusively, type KeyStore } from '../../adapters/vault/index.ts';
import type {
  AddCredentialRequest,
  CredentialAnswer,
  CredentialListAnswer,
  CredentialView,
  KeySource,
  LoggedUse,
  RotateCredentialRequest,
  VaultApi,
} from '../../api/index.ts';
import { vaultPassphrase } from '../../config/index.ts';
import { type Clock, type Ids, isOkaError, OkaError, type Redactor } from '../../kernel/index.ts';
import type { SqlTables } from '../../ledger/index.ts';
import {
  type Credential,
  examineVault,
  VAULT_ERROR_CODES,
  Vault,
  type VaultFault,
} from '../../vault/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { RepairableVault } from '../ledger/repair-ledger.ts';

/** The ledger with the tables of credentials. */
export type VaultLedger = Pick<OpenLedger, 'database' | 'tables' | 'events'>;

/** The location and the ports of a vault. */
export interface OpenVaultParts {
  /** The `.oka` folder. */
  readonly directory: string;
  /** The user's Oka folder. */
  readonly home: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The redactor of the process. */
  readonly redactor: Redactor;
  /** Replaces the keyring of the machine. */
  readonly keyring?: KeyStore;
}

interface OpenedVault {
  readonly vault: Vault;
  readonly secrets: EncryptedSecrets;
}

/** The vault of a workspace on its ledger. Opening it reads nothing. */
export function openVault(parts: OpenVaultParts, { database, tables, events }: VaultLedger): OpenedVault {
  const { directory, home, keyring } = parts;
  const exclusively: Exclusively = (work) => {
    // Uses the database lock: a crash cannot leave it behind.
    begin(database);
    try {
      return work();
    } finally {
      database.exec('ROLLBACK');
    }
  };
  const secrets = new EncryptedSecrets({
    file: join(directory, 'vault'),
    home,
    exclusively,
    passphrase: vaultPassphrase(),
    ...(keyring === undefined ? {} : { keyring }),
  });
  return {
    vault: new Vault({ ...parts, credentials: new SqlCredentialStore(tables), secrets, events }),
    secrets,
  };
}

/** Problems of the stored vault, for the credentials in these tables. Reads only. */
export async function vaultFaults(
  { directory, home }: Pick<OpenVaultParts, 'directory' | 'home'>,
  tables: SqlTables,
): Promise<readonly VaultFault[]> {
  // A file that is replaced during the read looks damaged; callers check again while others write.
  const secrets = new EncryptedSecrets({
    file: join(directory, 'vault'),
    home,
    exclusively: (work) => work(),
  });
  return (await examineVault(new SqlCredentialStore(tables), secrets)).faults;
}

/** The vault, as a repair needs it. */
export function repairableVault(parts: OpenVaultParts, ledger: VaultLedger): RepairableVault {
  const { vault, secrets } = openVault(parts, ledger);
  return {
    examine: () => examineVault(new SqlCredentialStore(ledger.tables), secrets),
    restore: (copy) => secrets.restore(copy),
    rewrite: () => secrets.rewrite(),
    revoke: (name, by) => vault.revoke(name, by),
  };
}

const SQLITE_BUSY = 5;

function begin(database: VaultLedger['database']): void {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw cause;
    const message =
      'another process kept the database locked, so the vault was left alone; try again in a moment.';
    throw new OkaError('ledger.busy', message, { cause, transient: true });
  }
}

export interface VaultFaceParts extends OpenVaultParts {
  /** For reading. */
  readonly ledger: () => VaultLedger;
  /** For writing. Requires trust. */
  readonly writable: () => Promise<VaultLedger>;
}

/** The vault API of one workspace. */
export class VaultFace implements VaultApi {
  readonly #parts: VaultFaceParts;
  #opened: (OpenedVault & { readonly ledger: VaultLedger }) | undefined;
  #passphrase: string | undefined;

  constructor(parts: VaultFaceParts) {
    this.#parts = parts;
  }

  async add(request: AddCredentialRequest): Promise<CredentialAnswer> {
    const { vault, secrets } = await this.#acting();
    return { credential: view(await vault.add(request)), keySource: secrets.keySource() as KeySource };
  }

  async list(): Promise<CredentialListAnswer> {
    const { vault, secrets } = this.#open(this.#parts.ledger());
    const credentials = (await vault.list()).map(view);
    try {
      const keySource = secrets.keySource();
      return { credentials, ...(keySource === undefined ? {} : { keySource }), faults: await vault.faults() };
    } catch (error) {
      // The recorded credentials are listed even if their values cannot be read.
      if (!isOkaError(error, VAULT_ERROR_CODES)) throw error;
      return { credentials, faults: [{ where: join(this.#parts.directory, 'vault'), what: error.message }] };
    }
  }

  async show(name: string): Promise<CredentialView> {
    return view(await this.#open(this.#parts.ledger()).vault.show(name));
  }

  async reveal(name: string, by: string): Promise<string> {
    return (await this.#acting()).vault.reveal(name, by);
  }

  async uses(name: string | undefined, limit: number): Promise<readonly LoggedUse[]> {
    const { vault } = this.#open(this.#parts.ledger());
    if (name !== undefined) await vault.show(name);
    return vault.uses(name, limit);
  }

  async revoke(name: string, by: string): Promise<CredentialView> {
    return view(await (await this.#acting()).vault.revoke(name, by));
  }

  async rotate(request: RotateCredentialRequest): Promise<CredentialAnswer> {
    const { vault, secrets } = await this.#acting();
    return {
      credential: view(await vault.rotate(request)),
      keySource: secrets.keySource() as KeySource,
    };
  }

  async rotateKey(request: Parameters<VaultApi['rotateKey']>[0]): Promise<{ readonly keySource: KeySource }> {
    const { keySource: source, passphrase, by } = request;
    const change = {
      ...(source === undefined ? {} : { source }),
      ...(passphrase === undefined ? {} : { passphrase }),
    };
    return { keySource: await (await this.#acting()).vault.changeKey(change, by) };
  }

  async unlock(passphrase: string): Promise<void> {
    this.#passphrase = passphrase;
  }

  /** Resolves values for tools, models and servers: the `CredentialProvider` of the engine. */
  provider(ledger: VaultLedger): Vault {
    return this.#open(ledger).vault;
  }

  async #acting(): Promise<OpenedVault> {
    return this.#open(await this.#parts.writable());
  }

  /** Forgets the key. */
  close(): void {
    this.#opened?.secrets.close();
    this.#opened = undefined;
  }

  /** One vault per ledger, so that its key is loaded once. */
  #open(ledger: VaultLedger): OpenedVault {
    if (this.#opened?.ledger.database !== ledger.database) {
      this.close();
      this.#opened = { ...openVault(this.#parts, ledger), ledger };
    }
    if (this.#passphrase !== undefined) this.#opened.secrets.offerPassphrase(this.#passphrase);
    this.#passphrase = undefined;
    return this.#opened;
  }
}

/** The public fields of a credential, without the place of its value. */
function view({ record: _record, ...credential }: Credential): CredentialView {
  return credential;
}
