export type { CredentialStore, RecordName, SecretStore, SweepRule } from './ports.ts';
export type { Credential, CredentialUse, KeySource, LoggedUse, VaultFault } from './types.ts';
export { VAULT_ERROR_CODES, type VaultErrorCode } from './types.ts';
export { Vault } from './vault.ts';
export { examineVault, type VaultExamination } from './vault-faults.ts';
export { toCredential, toLoggedUse, vaultProjection } from './vault-projection.ts';
