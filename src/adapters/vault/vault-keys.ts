import { randomBytes } from 'node:crypto';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { KeySource, VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES, NONCE_BYTES, open, seal } from './cipher.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { checkPassphrase, keyOfPassphrase } from './passphrase-key.ts';
import type { KeyHeader } from './vault-format.ts';

/** A key, with what the vault file says of it. */
export interface OpenKey {
  readonly header: KeyHeader;
  readonly bytes: Uint8Array;
}

const ID_BYTES = 16;

/** Makes, finds and forgets the keys of vaults. */
export class VaultKeys {
  readonly #keepers: Readonly<Record<'keyring' | 'file', KeyKeeper>>;
  #passphrase: string | undefined;

  constructor(keepers: Readonly<Record<'keyring' | 'file', KeyKeeper>>, passphrase: string | undefined) {
    this.#keepers = keepers;
    this.#passphrase = passphrase;
  }

  offerPassphrase(passphrase: string): void {
    this.#passphrase = passphrase;
  }

  /** A new key that is kept where it is wanted; by default in the keyring if that works, else in a file. */
  async make(source: KeySource | undefined): Promise<OpenKey> {
    const id = randomBytes(ID_BYTES).toString('hex');
    if (source === 'passphrase') return this.#makeFromPassphrase(id);
    const bytes = randomBytes(KEY_BYTES);
    if (source !== 'file') {
      try {
        await this.#keepers.keyring.keep(id, bytes);
        return withCheck({ id, source: 'keyring' }, bytes);
      } catch (error) {
        if (source === 'keyring' || !isOkaError(error, 'vault.keyring_unavailable')) throw error;
      }
    }
    await this.#keepers.file.keep(id, bytes);
    return withCheck({ id, source: 'file' }, bytes);
  }

  /** The key that belongs to a vault. Rejects when it is not here, or is another. */
  async find(header: KeyHeader): Promise<OpenKey> {
    const bytes =
      header.source === 'passphrase'
        ? await keyOfPassphrase(this.#requirePassphrase(false), header.salt as string)
        : await this.#keepers[header.source].find(header.id);
    if (bytes === undefined) throw this.#missing(header);
    try {
      open(bytes, Buffer.from(header.nonce, 'hex'), checked(header), Buffer.from(header.check, 'hex'));
    } catch (cause) {
      if (header.source === 'passphrase') this.#passphrase = undefined;
      throw wrongKey(header, cause);
    }
    return { header, bytes };
  }

  async forget({ id, source }: KeyHeader): Promise<void> {
    if (source !== 'passphrase') await this.#keepers[source].forget(id);
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
      'the vault needs its passphrase; run the command on a terminal, or set OKA_VAULT_PASSPHRASE.',
      { fresh },
    );
  }

  #missing({ id, source }: KeyHeader): OkaError<VaultErrorCode> {
    const where = this.#keepers[source as 'file'].where(id);
    return refusal(
      'vault.key_missing',
      `the key of this vault is not here: it should be in ${where}. A vault that was copied from another machine or person opens only with its key: bring the key too, or remove .oka/vault, revoke what was in it and add it anew.`,
      { source, key: id },
    );
  }
}

/** The header of a new key: what is sealed with it tells later whether a key is this one. */
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
      ? 'this passphrase does not open the vault; try again.'
      : 'the key that was found does not open the vault; restore the key that belongs to it.';
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
