import { isOkaError } from '../kernel/index.ts';
import type { CredentialStore, SecretStore } from './ports.ts';
import type { VaultFault } from './types.ts';

/** Defects of a stored vault, and active credentials whose values are lost. */
export interface VaultExamination {
  readonly faults: readonly VaultFault[];
  readonly lost: readonly string[];
}

/** Compares the stored vault with the credentials in the ledger. Needs no key. */
export async function examineVault(
  credentials: Pick<CredentialStore, 'list'>,
  secrets: Pick<SecretStore, 'exists' | 'examine'>,
): Promise<VaultExamination> {
  const active = (await credentials.list()).filter(({ status }) => status !== 'revoked');
  if (active.length === 0 && !secrets.exists()) return { faults: [], lost: [] };
  const { records, faults } = examine(secrets);
  const lost = active.filter(({ record }) => !records.has(record)).map(({ name }) => name);
  return {
    faults: [...faults, ...lost.map((name) => ({ where: `credential ${name}`, what: 'its value is lost' }))],
    lost,
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
