// Owns: `.oka/vault`. Does not own: which records are of use, which the ledger says.
// I1 Every record is sealed with a nonce of its own, under its id and version: none can stand in for another.
// I2 The file changes whole, under a lock that all processes share, and only under the key that it names.
// I3 A key is kept durably before the first file that needs it.
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type {
  KeySource,
  RecordName,
  SecretStore,
  SweepRule,
  VaultErrorCode,
  VaultFault,
} from '../../vault/index.ts';
import { keyFiles } from './key-file.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { systemKeyring } from './keyring.ts';
import { type Exclusively, LockedFile } from './locked-file.ts';
import { openRecord, reseal, sealRecord } from './seal-record.ts';
import { formatVault, parseVault, type VaultContent } from './vault-format.ts';
import { type OpenKey, VaultKeys } from './vault-keys.ts';

export interface EncryptedSecretsOptions {
  /** The vault file. */
  readonly file: string;
  /** The person's own folder, where key files are kept. */
  readonly home: string;
  readonly exclusively: Exclusively;
  readonly passphrase?: string | undefined;
  /** Instead of the keyring of the machine. */
  readonly keyring?: KeyKeeper;
}

/** Values in one encrypted file that several processes share. */
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
    for (let there = this.#read(); ; there = this.#read()) {
      if (there !== undefined) return requireSource(there.key.source, source);
      const made = await this.#keys.make(source);
      const isFirst = this.#change((content) =>
        content === undefined ? { key: made.header, records: [], damaged: [] } : undefined,
      );
      if (isFirst) return this.#remember(made);
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
        // Another process may have changed the key; then this was sealed in vain.
        if (content?.key.id !== key.header.id) return undefined;
        return { ...content, records: [...content.records.filter(({ id }) => id !== record.id), sealed] };
      });
    }
  }

  async take({ id, version }: RecordName): Promise<Uint8Array> {
    for (;;) {
      const key = await this.#unlocked();
      const content = this.#read();
      // Another process may have changed the key in between.
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
      // While something that is named is missing, a damaged line may be what is left of it.
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
        throw damaged(`${fault.where}: ${fault.what}; revoke or rotate what it held first.`);
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
      this.#remember(made);
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

  /** Writes the file again from its sound records. */
  rewrite(): void {
    this.#change((content) => content && { ...content, damaged: [] });
  }

  /**
   * Takes over the records of a copy that this file lacks, or the whole copy where this file is missing or its first line
   * is damaged. False where the copy has another key.
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

  /** Forgets the key, as far as memory can be made to. */
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

  /** Writes what `change` makes of the vault. False when that is nothing. */
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
        `${this.#file.path} is missing; restore it from a backup, or revoke what was in it and add it anew.`,
      );
    if (this.#key?.header.id !== content.key.id) this.#remember(await this.#keys.find(content.key));
    return this.#key as OpenKey;
  }

  #remember(key: OpenKey): void {
    // Whoever holds on to the same key must not find it overwritten.
    if (this.#key?.header.id === key.header.id) return;
    this.close();
    this.#key = key;
  }

  async #discard(key: OpenKey): Promise<void> {
    await this.#keys.forget(key.header);
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
  return damaged(`the vault ${why}. Restore the file from a backup, or give a new value.`, { record: id });
}

function requireSource(actual: KeySource, wanted: KeySource | undefined): void {
  if (wanted === undefined || wanted === actual) return;
  const code: VaultErrorCode = 'vault.key_source';
  throw new OkaError(
    code,
    `the key of this vault is of the kind ${actual} already; change it with: oka vault rotate-key --key-source ${wanted}.`,
    { data: { actual, wanted } },
  );
}

function damaged(message: string, data: Readonly<Record<string, unknown>> = {}): OkaError<VaultErrorCode> {
  return new OkaError('vault.damaged', message, { data });
}
