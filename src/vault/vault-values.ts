import { type EpochMs, type Redactor, toFailure } from '../kernel/index.ts';
import { refusal } from './check-credential.ts';
import type { RecordName, SecretStore } from './ports.ts';
import type { Credential } from './types.ts';

/** Stores a value; what was its bytes is overwritten afterwards. */
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

/** The value of a credential, decrypted just now. */
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
      `the value of the credential ${name} cannot be had: ${message}`,
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

/** What became of teaching a redactor. */
export interface Priming {
  readonly added: number;
  readonly problems: readonly string[];
}

/** Teaches a redactor the values of credentials; says what kept it from some. Never rejects. */
export async function teachValues(
  secrets: SecretStore,
  redactor: Redactor,
  list: () => Promise<readonly Credential[]>,
): Promise<Priming> {
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
