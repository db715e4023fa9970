// Owns: `.oka/vault`. Does not own: which records are in use; the ledger knows.
// I1 Every record is sealed with its own nonce, id and version: records cannot be swapped.
// I2 The file is replaced atomically, under a lock shared by all processes, and only with the key that it names.
// I3 A key is stored durably before the first file that needs it.
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type {
  KeySource,
  RecordName,
  SecretStore,
  SweepRule,
  VaultErrorCode,
  VaultFault,
} from '../../vault/index.ts';
import { type KeyStore, keyFiles, systemKeyring } from './key-stores.ts';
import { type Exclusively, LockedFile } from './locked-file.ts';
import { formatVault, parseVault, type VaultContent } from './vault-format.ts';
import { type OpenKey, openRecord, reseal, sealRecord, VaultKeys } from './vault-keys.ts';

export interface EncryptedSecretsOptions {
  /** The vault file. */
  readonly file: string;
  /** The user's folder with the key files. */
  readonly home: string;
  readonly exclusively: Exclusively;
  readonly passphrase?: string | undefined;
  /** Replaces the keyring of the machine. */
  readonly keyring?: KeyStore;
}

/** Stores values in one encrypted file that several processes share. */
export class EncryptedSecrets implements SecretStore {
  readonly #file: LockedFile;
  readonly #keys: VaultKeys;
  #key: OpenKey | undefined;

  constructor({ file, home, exclusively, passphrase, keyring }: EncryptedSecretsOptions) {
    this.#file = new LockedFile(file, exclusively);
    this.#keys = new VaultKeys({ keyring: keyring ?? systemKeyring(), file: keyFiles(home) }, passphrase);
  }

  exists(): boolean {
    return this.#file.exists;
  }

  keySource(): KeySource | undefined {
    return this.#read()?.key.source;
  }

  offerPassphrase(passphrase: string): void {
    this.#keys.offerPassphrase(passphrase);
  }

  async create(source?: KeySource): Promise<void> {
    for (let existing = this.#read(); ; existing = this.#read()) {
      if (existing !== undefined) return requireSource(existing.key.source, source);
      const made = await this.#keys.make(source);
      const isFirst = this.#change((content) =>
        content === undefined ? { key: made.header, records: [], damaged: [] } : undefined,
      );
      if (isFirst) return this.#setKey(made);
      await this.#discard(made);
    }
  }

  async unlock(): Promise<void> {
    await this.#unlocked();
  }

  async put(record: RecordName, value: Uint8Array, at: number): Promise<void> {
    for (let stored = false; !stored; ) {
      const key = await this.#unlocked();
      const sealed = sealRecord(key, { ...record, at }, value);
      stored = this.#change((content) => {
        // Another process may have changed the key; then seal again.
        if (content?.key.id !== key.header.id) return undefined;
        return { ...content, records: [...content.records.filter(({ id }) => id !== record.id), sealed] };
      });
    }
  }

  async take({ id, version }: RecordName): Promise<Uint8Array> {
    for (;;) {
      const key = await this.#unlocked();
      const content = this.#read();
      // Another process may have changed the key meanwhile.
      if (content !== undefined && content.key.id !== key.header.id) continue;
      const record = content?.records.find((one) => one.id === id && one.version === version);
      if (record === undefined) throw lost(id, content?.faults ?? []);
      return openRecord(key, record);
    }
  }

  async sweep({ keep, drop, orphanedBefore }: SweepRule): Promise<void> {
    this.#change((content) => {
      if (content === undefined) return undefined;
      const records = content.records.filter(
        ({ id, at }) => keep.has(id) || (!drop.has(id) && at >= orphanedBefore),
      );
      const whole = new Set(records.map(({ id }) => id));
      // While a referenced record is missing, a damaged line may be its remains.
      const damaged = [...keep].every((id) => whole.has(id)) ? [] : content.damaged;
      const same = records.length === content.records.length && damaged.length === content.damaged.length;
      return same ? undefined : { ...content, records, damaged };
    });
  }

  async changeKey(change: { readonly source?: KeySource; readonly passphrase?: string }): Promise<KeySource> {
    for (;;) {
      const old = await this.#unlocked();
      const [fault] = this.examine().faults;
      if (fault !== undefined)
        throw damaged(`${fault.where}: ${fault.what}; revoke or rotate its credentials first.`);
      if (change.passphrase !== undefined) this.#keys.offerPassphrase(change.passphrase);
      const made = await this.#keys.make(change.source ?? old.header.source);
      const isChanged = this.#change((content) => {
        if (content?.key.id !== old.header.id) return undefined;
        return {
          ...content,
          key: made.header,
          records: content.records.map((one) => reseal(one, old, made)),
        };
      });
      if (!isChanged) {
        await this.#discard(made);
        continue;
      }
      await this.#discard(old);
      this.#setKey(made);
      return made.header.source;
    }
  }

  examine(): { readonly records: ReadonlySet<string>; readonly faults: readonly VaultFault[] } {
    const content = this.#read();
    return {
      records: new Set(content?.records.map(({ id }) => id)),
      faults: content?.faults ?? [{ where: this.#file.path, what: 'the file is missing' }],
    };
  }

  async checkKey(): Promise<{ readonly what: string; readonly isLost: boolean } | undefined> {
    const key = this.#read()?.key;
    if (key === undefined || key.source === 'passphrase') return undefined;
    try {
      (await this.#keys.find(key)).bytes.fill(0);
      return undefined;
    } catch (error) {
      if (isOkaError(error, 'vault.keyring_unavailable')) return undefined;
      if (!isOkaError(error, ['vault.key_missing', 'vault.wrong_key', 'vault.key_exposed'])) throw error;
      return { what: error.message, isLost: error.code !== 'vault.key_exposed' };
    }
  }

  /** Rewrites the file from its intact records. */
  rewrite(): void {
    this.#change((content) => content && { ...content, damaged: [] });
  }

  /**
   * Restores records that this file lacks from a copy, or the whole copy if this file is missing or its header is damaged. Returns
   * false if the copy has another key.
   */
  restore(copy: Uint8Array): boolean {
    const from = parseVault(copy, 'the copy of the vault');
    let isSameKey = true;
    this.#file.update((bytes) => {
      const content = bytes && parsable(bytes, this.#file.path);
      if (content === undefined) return formatVault(from);
      isSameKey = content.key.id === from.key.id;
      const known = new Set(content.records.map(({ id }) => id));
      const missing = from.records.filter(({ id }) => !known.has(id));
      if (!isSameKey || missing.length === 0) return undefined;
      return formatVault({ ...content, records: [...content.records, ...missing] });
    });
    return isSameKey;
  }

  /** Overwrites the key in memory, as far as possible. */
  close(): void {
    this.#key?.bytes.fill(0);
    this.#key = undefined;
  }

  #read(): VaultContent | undefined {
    return this.#file.read((bytes, certain) => {
      const content = parseVault(bytes, this.#file.path);
      if (content.faults.length > 0 && !certain) throw damaged('it may be.');
      return content;
    });
  }

  /** Writes what `change` returns. Returns false if that is undefined. */
  #change(
    change: (
      content: VaultContent | undefined,
    ) => Pick<VaultContent, 'key' | 'records' | 'damaged'> | undefined,
  ): boolean {
    let isChanged = false;
    this.#file.update((bytes) => {
      const next = change(bytes && parseVault(bytes, this.#file.path));
      isChanged = next !== undefined;
      return next && formatVault(next);
    });
    return isChanged;
  }

  async #unlocked(): Promise<OpenKey> {
    const content = this.#read();
    if (content === undefined)
      throw damaged(
        `${this.#file.path} is missing. Restore it from a backup, or revoke its credentials and add them again.`,
      );
    if (this.#key?.header.id !== content.key.id) this.#setKey(await this.#keys.find(content.key));
    return this.#key as OpenKey;
  }

  #setKey(key: OpenKey): void {
    // Users of the same key must not find it overwritten.
    if (this.#key?.header.id === key.header.id) return;
    this.close();
    this.#key = key;
  }

  async #discard(key: OpenKey): Promise<void> {
    await this.#keys.delete(key.header);
    key.bytes.fill(0);
  }
}

function parsable(bytes: Uint8Array, file: string): VaultContent | undefined {
  try {
    return parseVault(bytes, file);
  } catch (error) {
    if (isOkaError(error, 'vault.damaged')) return undefined;
    throw error;
  }
}

function lost(id: string, faults: readonly VaultFault[]): OkaError<VaultErrorCode> {
  const [first] = faults;
  const why = first === undefined ? 'no longer holds it' : `is damaged (${first.where}: ${first.what})`;
  return damaged(`the vault ${why}. Restore the file from a backup, or set a new value.`, { record: id });
}

function requireSource(actual: KeySource, wanted: KeySource | undefined): void {
  if (wanted === undefined || wanted === actual) return;
  const code: VaultErrorCode = 'vault.key_source';
  throw new OkaError(
    code,
    `The key source of this vault is ${actual}. Change it with: oka vault rotate-key --key-source ${wanted}.`,
    { data: { actual, wanted } },
  );
}

function damaged(message: string, data: Readonly<Record<string, unknown>> = {}): OkaError<VaultErrorCode> {
  return new OkaError('vault.damaged', message, { data });
}
