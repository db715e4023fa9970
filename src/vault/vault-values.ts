import { type EpochMs, type Redactor, toFailure } from '../kernel/index.ts';
import { refusal } from './check-credential.ts';
import type { RecordName, SecretStore } from './ports.ts';
import type { Credential } from './types.ts';

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
  let bytes: Uint8Array;
  try {
    bytes = await secrets.take({ id: record, version });
  } catch (error) {
    const { code, message } = toFailure(error, 'vault.unreadable');
    if (code !== 'vault.damaged') throw error;
    throw refusal(
      'vault.damaged',
      `The value of the credential ${name} is not readable: ${message}`,
      { name },
      error,
    );
  }
  try {
    return new TextDecoder().decode(bytes);
  } finally {
    bytes.fill(0);
  }
}

/** The result of teaching a redactor. */
export interface RedactorUpdate {
  readonly added: number;
  readonly problems: readonly string[];
}

/** Adds credential values to a redactor and returns the problems. Never rejects. */
export async function addValuesToRedactor(
  secrets: SecretStore,
  redactor: Redactor,
  list: () => Promise<readonly Credential[]>,
): Promise<RedactorUpdate> {
  const problems: string[] = [];
  const attempt = async (work: () => Promise<void>): Promise<boolean> =>
    work().then(
      () => true,
      (error: unknown) => {
        problems.push(toFailure(error, 'vault.unreadable').message);
        return false;
      },
    );
  let added = 0;
  await attempt(async () => {
    const credentials = await list();
    if (credentials.length > 0) await secrets.unlock();
    for (const credential of credentials) {
      const teach = async (): Promise<void> =>
        redactor.addSecret(credential.name, await takeValue(secrets, credential));
      if (await attempt(teach)) added += 1;
    }
  });
  return { added, problems };
}
