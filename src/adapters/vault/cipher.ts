import { createCipheriv, createDecipheriv } from 'node:crypto';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';

/** AES-256-GCM with a 96-bit nonce and a 128-bit tag; nothing else is accepted. */
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** Encrypts and authenticates; the tag follows the ciphertext. A nonce must never be reused with a key. */
export function seal(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Buffer {
  checkSizes(key, nonce);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad, { plaintextLength: plaintext.length });
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `seal` returned; rejects anything else with `vault.damaged` and reveals nothing of it. */
export function open(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Buffer {
  checkSizes(key, nonce);
  const end = sealed.length - TAG_BYTES;
  if (end < 0) throw damaged('is shorter than its tag');
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad, { plaintextLength: end });
  decipher.setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    throw damaged('does not match this key and name');
  }
  return plaintext;
}

function checkSizes(key: Uint8Array, nonce: Uint8Array): void {
  if (key.length !== KEY_BYTES) throw damaged(`has a key of ${key.length} bytes instead of ${KEY_BYTES}`);
  if (nonce.length !== NONCE_BYTES)
    throw damaged(`has a nonce of ${nonce.length} bytes instead of ${NONCE_BYTES}`);
}

function damaged(what: string): OkaError<VaultErrorCode> {
  return new OkaError(
    'vault.damaged',
    `A sealed record ${what}. Restore it from a backup, or set a new value.`,
  );
}
