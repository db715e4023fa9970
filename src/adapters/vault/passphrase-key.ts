import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';
import { KEY_BYTES } from './cipher.ts';
import { SCRYPT } from './vault-format.ts';

const SHORTEST = 8;
const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** A key from a passphrase; the same characters give the same key however a keyboard composes them. */
export function keyOfPassphrase(passphrase: string, salt: string): Promise<Uint8Array> {
  const memory = 128 * SCRYPT.N * SCRYPT.r;
  return derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), KEY_BYTES, {
    ...SCRYPT,
    maxmem: 2 * memory,
  });
}

/** Refuses a passphrase that protects nothing. */
export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length >= SHORTEST) return;
  const code: VaultErrorCode = 'vault.too_short';
  throw new OkaError(code, `a passphrase needs at least ${SHORTEST} characters; choose a longer one.`);
}
