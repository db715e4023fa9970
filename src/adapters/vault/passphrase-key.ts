import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES } from './cipher.ts';
import { SCRYPT } from './vault-format.ts';

const MIN_LENGTH = 8;
const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** Derives a key from a passphrase; normalized, so that keyboard composition does not matter. */
export function keyOfPassphrase(passphrase: string, salt: string): Promise<Uint8Array> {
  const memory = 128 * SCRYPT.N * SCRYPT.r;
  return derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), KEY_BYTES, {
    ...SCRYPT,
    maxmem: 2 * memory,
  });
}

/** Rejects a passphrase that is too short. */
export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length >= MIN_LENGTH) return;
  const code: VaultErrorCode = 'vault.too_short';
  throw new OkaError(code, `A passphrase needs at least ${MIN_LENGTH} characters.`);
}
