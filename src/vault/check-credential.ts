import { type EpochMs, OkaError } from '../kernel/index.ts';
import type { VaultErrorCode } from './types.ts';

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const SHORTEST = 8;
const LONGEST_BYTES = 65_536;

/** Refuses what cannot be a credential's name. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw refusal(
    'vault.invalid_name',
    `"${name}" cannot be a credential's name; use small letters, digits, - and _, beginning with a letter.`,
    { name },
  );
}

/** The value without the line breaks around it, which come from files and pipes; refused when it cannot be kept. */
export function checkValue(name: string, value: string): string {
  const trimmed = value.replace(/^[\r\n]+/, '').replace(/[\r\n]+$/, '');
  if (!trimmed.isWellFormed() || trimmed.includes('\0'))
    throw refusal('vault.not_text', `the value for ${name} is not text; encode it, for example in base64.`, {
      name,
    });
  if ([...trimmed].length < SHORTEST)
    throw refusal(
      'vault.too_short',
      `the value for ${name} has fewer than ${SHORTEST} characters, so it could not be told from other text and kept out of records; use a longer one.`,
      { name },
    );
  if (Buffer.byteLength(trimmed) > LONGEST_BYTES)
    throw refusal('vault.too_long', `the value for ${name} is larger than ${LONGEST_BYTES} bytes.`, { name });
  return trimmed;
}

/** Refuses an end that is past already. */
export function checkExpiry(name: string, expiresAt: EpochMs | undefined, now: EpochMs): void {
  if (expiresAt === undefined || (Number.isSafeInteger(expiresAt) && expiresAt > now)) return;
  throw refusal('vault.invalid_expiry', `${name} would have expired already; give a time that is to come.`, {
    name,
    expiresAt: Number.isFinite(expiresAt) ? expiresAt : null,
  });
}

/** An error of the vault. */
export function refusal(
  code: VaultErrorCode,
  message: string,
  data: Readonly<Record<string, unknown>>,
  cause?: unknown,
): OkaError<VaultErrorCode> {
  return new OkaError(code, message, { data, cause });
}
