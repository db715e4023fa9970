import { type EpochMs, isOkaError, OkaError } from '../kernel/index.ts';
import type { RecordName, SecretStore } from './ports.ts';
import type { Credential, VaultErrorCode } from './types.ts';

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const MIN_LENGTH = 8;
const MAX_BYTES = 65_536;

/** Checks a credential's name. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw refusal(
    'vault.invalid_name',
    `Invalid credential name "${name}": use lower-case letters, digits, - and _, and start with a letter.`,
    { name },
  );
}

/** Removes surrounding line breaks, which come from files and pipes, and rejects values that cannot be stored. */
export function checkValue(name: string, value: string): string {
  const trimmed = value.replace(/^[\r\n]+/, '').replace(/[\r\n]+$/, '');
  if (!trimmed.isWellFormed() || trimmed.includes('\0'))
    throw refusal('vault.not_text', `The value for ${name} is not text. Encode it, for example in base64.`, {
      name,
    });
  if ([...trimmed].length < MIN_LENGTH)
    throw refusal(
      'vault.too_short',
      `The value for ${name} has fewer than ${MIN_LENGTH} characters and cannot be redacted reliably. Use a longer one.`,
      { name },
    );
  if (Buffer.byteLength(trimmed) > MAX_BYTES)
    throw refusal('vault.too_long', `The value for ${name} is larger than ${MAX_BYTES} bytes.`, { name });
  return trimmed;
}

/** Rejects an expiry in the past. */
export function checkExpiry(name: string, expiresAt: EpochMs | undefined, now: EpochMs): void {
  if (expiresAt === undefined || (Number.isSafeInteger(expiresAt) && expiresAt > now)) return;
  throw refusal('vault.invalid_expiry', `The expiry of ${name} is in the past. Give a future time.`, {
    name,
    expiresAt: Number.isFinite(expiresAt) ? expiresAt : null,
  });
}

export function refusal(
  code: VaultErrorCode,
  message: string,
  data: Readonly<Record<string, unknown>>,
  cause?: unknown,
): OkaError<VaultErrorCode> {
  return new OkaError(code, message, { data, cause });
}

/** Stores a value, then overwrites its bytes. */
export async function storeValue(
  secrets: SecretStore,
  record: RecordName,
  value: string,
  at: EpochMs,
): Promise<void> {
  const bytes = Buffer.from(value, 'utf8');
  try {
    await secrets.put(record, bytes, at);
  } finally {
    bytes.fill(0);
  }
}

/** Decrypts the value of a credential. */
export async function takeValue(
  secrets: SecretStore,
  { name, record, version }: Credential,
): Promise<string> {
  const bytes = await secrets.take({ id: record, version }).catch((error: unknown) => {
    if (!isOkaError(error, 'vault.damaged')) throw error;
    const message = `The value of the credential ${name} is not readable: ${error.message}`;
    throw refusal('vault.damaged', message, { name }, error);
  });
  try {
    return new TextDecoder().decode(bytes);
  } finally {
    bytes.fill(0);
  }
}
