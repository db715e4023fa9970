import { randomBytes } from 'node:crypto';
import type { RecordName } from '../../vault/index.ts';
import { NONCE_BYTES, open, seal } from './cipher.ts';
import type { SealedRecord } from './vault-format.ts';
import type { OpenKey } from './vault-keys.ts';

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
