import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { KeySource, RecordName, VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES, NONCE_BYTES, open, seal } from './cipher.ts';
import type { KeyStore } from './key-stores.ts';
import { type KeyHeader, SCRYPT, type SealedRecord } from './vault-format.ts';

/** A key with its header. */
export interface OpenKey {
  readonly header: KeyHeader;
  readonly bytes: Uint8Array;
}

const ID_BYTES = 16;

/** Creates, finds and deletes vault keys. */
export class VaultKeys {
  readonly #stores: Readonly<Record<'keyring' | 'file', KeyStore>>;
  #passphrase: string | undefined;

  constructor(stores: Readonly<Record<'keyring' | 'file', KeyStore>>, passphrase: string | undefined) {
    this.#stores = stores;
    this.#passphrase = passphrase;
  }

  offerPassphrase(passphrase: string): void {
    this.#passphrase = passphrase;
  }

  /** Creates and stores a new key; by default in the keyring if available, else in a file. */
  async make(source: KeySource | undefined): Promise<OpenKey> {
    const id = randomBytes(ID_BYTES).toString('hex');
    if (source === 'passphrase') return this.#makeFromPassphrase(id);
    const bytes = randomBytes(KEY_BYTES);
    if (source !== 'file') {
      try {
        await this.#stores.keyring.store(id, bytes);
        return withCheck({ id, source: 'keyring' }, bytes);
      } catch (error) {
        if (source === 'keyring' || !isOkaError(error, 'vault.keyring_unavailable')) throw error;
      }
    }
    await this.#stores.file.store(id, bytes);
    return withCheck({ id, source: 'file' }, bytes);
  }

  /** Finds the key of a vault. Rejects if it is missing or wrong. */
  async find(header: KeyHeader): Promise<OpenKey> {
    const bytes =
      header.source === 'passphrase'
        ? await keyOfPassphrase(this.#requirePassphrase(false), header.salt as string)
        : await this.#stores[header.source].find(header.id);
    if (bytes === undefined) throw this.#missing(header);
    try {
      open(bytes, Buffer.from(header.nonce, 'hex'), checked(header), Buffer.from(header.check, 'hex'));
    } catch (cause) {
      if (header.source === 'passphrase') this.#passphrase = undefined;
      throw wrongKey(header, cause);
    }
    return { header, bytes };
  }

  async delete({ id, source }: KeyHeader): Promise<void> {
    if (source !== 'passphrase') await this.#stores[source].delete(id);
  }

  async #makeFromPassphrase(id: string): Promise<OpenKey> {
    const passphrase = this.#requirePassphrase(true);
    checkPassphrase(passphrase);
    const salt = randomBytes(ID_BYTES).toString('hex');
    return withCheck({ id, source: 'passphrase', salt }, await keyOfPassphrase(passphrase, salt));
  }

  #requirePassphrase(fresh: boolean): string {
    if (this.#passphrase !== undefined) return this.#passphrase;
    throw refusal(
      'vault.passphrase_needed',
      'The vault needs its passphrase. Run the command in a terminal, or set OKA_VAULT_PASSPHRASE.',
      { fresh },
    );
  }

  #missing({ id, source }: KeyHeader): OkaError<VaultErrorCode> {
    const where = this.#stores[source as 'file'].where(id);
    return refusal(
      'vault.key_missing',
      `The key of this vault is missing: expected in ${where}. A vault copied from another machine or user needs its key: copy the key too, or remove .oka/vault, revoke its credentials and add them again.`,
      { source, key: id },
    );
  }
}

/** Creates the header of a new key with a check value that identifies it later. */
function withCheck(about: Pick<KeyHeader, 'id' | 'source' | 'salt'>, bytes: Uint8Array): OpenKey {
  const nonce = randomBytes(NONCE_BYTES);
  const check = seal(bytes, nonce, checked(about), new Uint8Array()).toString('hex');
  return { header: { ...about, nonce: nonce.toString('hex'), check }, bytes };
}

function checked({ id, source, salt = '' }: Pick<KeyHeader, 'id' | 'source' | 'salt'>): Uint8Array {
  return Buffer.from(`oka vault key ${id} ${source} ${salt}`);
}

function wrongKey({ id, source }: KeyHeader, cause: unknown): OkaError<VaultErrorCode> {
  const message =
    source === 'passphrase'
      ? 'Wrong passphrase. Try again.'
      : 'The key does not open the vault. Restore the original key.';
  return refusal('vault.wrong_key', message, { source, key: id }, cause);
}

function refusal(
  code: VaultErrorCode,
  message: string,
  data: Readonly<Record<string, unknown>>,
  cause?: unknown,
): OkaError<VaultErrorCode> {
  return new OkaError(code, message, { data, cause });
}

const MIN_LENGTH = 8;
const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** Derives a key from a passphrase; normalized, so that keyboard composition does not matter. */
function keyOfPassphrase(passphrase: string, salt: string): Promise<Uint8Array> {
  const memory = 128 * SCRYPT.N * SCRYPT.r;
  return derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), KEY_BYTES, {
    ...SCRYPT,
    maxmem: 2 * memory,
  });
}

/** Rejects a passphrase that is too short. */
function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length >= MIN_LENGTH) return;
  const code: VaultErrorCode = 'vault.too_short';
  throw new OkaError(code, `A passphrase needs at least ${MIN_LENGTH} characters.`);
}

/** The authenticated data: a record opens only under its own name. */
function nameOf({ id, version }: RecordName): Uint8Array {
  return Buffer.from(`oka vault record ${id} ${version}`);
}

/** Seals a value under its record's name, with a fresh nonce. */
export function sealRecord(
  key: OpenKey,
  about: RecordName & { readonly at: number },
  value: Uint8Array,
): SealedRecord {
  const { id, version, at } = about;
  const nonce = randomBytes(NONCE_BYTES);
  const sealed = seal(key.bytes, nonce, nameOf(about), value).toString('base64');
  return { id, version, at, nonce: nonce.toString('base64'), sealed };
}

/** Decrypts a record into a new buffer. */
export function openRecord(key: OpenKey, record: SealedRecord): Uint8Array {
  const [nonce, sealed] = [record.nonce, record.sealed].map((text) => Buffer.from(text, 'base64'));
  return open(key.bytes, nonce as Buffer, nameOf(record), sealed as Buffer);
}

/** Re-encrypts a record with another key. */
export function reseal(record: SealedRecord, from: OpenKey, to: OpenKey): SealedRecord {
  const value = openRecord(from, record);
  try {
    return sealRecord(to, record, value);
  } finally {
    value.fill(0);
  }
}
