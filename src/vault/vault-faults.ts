import { isOkaError } from '../kernel/index.ts';
import type { CredentialStore, SecretStore } from './ports.ts';
import type { VaultFault } from './types.ts';

/** Defects of a stored vault, and active credentials whose values are lost. */
export interface VaultExamination {
  readonly faults: readonly VaultFault[];
  readonly lost: readonly string[];
  /** Whether the key is gone, so that nothing in the vault can be read. */
  readonly isKeyLost: boolean;
}

/** Compares the stored vault with its key and with the credentials in the ledger. Needs no passphrase. */
export async function examineVault(
  credentials: Pick<CredentialStore, 'list'>,
  secrets: Pick<SecretStore, 'exists' | 'examine' | 'checkKey'>,
): Promise<VaultExamination> {
  const active = (await credentials.list()).filter(({ status }) => status !== 'revoked');
  if (active.length === 0 && !secrets.exists()) return { faults: [], lost: [], isKeyLost: false };
  const { records, faults } = examine(secrets);
  const key = faults.length > 0 ? undefined : await secrets.checkKey();
  const isKeyLost = key?.isLost === true;
  const lost = active.filter(({ record }) => isKeyLost || !records.has(record)).map(({ name }) => name);
  return {
    faults: [
      ...faults,
      ...(key === undefined ? [] : [{ where: 'vault', what: key.what }]),
      ...lost.map((name) => ({ where: `credential ${name}`, what: 'its value is lost' })),
    ],
    lost,
    isKeyLost,
  };
}

function examine(secrets: Pick<SecretStore, 'examine'>): ReturnType<SecretStore['examine']> {
  try {
    return secrets.examine();
  } catch (error) {
    if (!isOkaError(error, 'vault.damaged')) throw error;
    return { records: new Set(), faults: [{ where: 'vault', what: error.message }] };
  }
}
