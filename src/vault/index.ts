export { toCredential, toLoggedUse } from './credential-rows.ts';
export { MemoryCredentialStore } from './memory-credential-store.ts';
export type { CredentialStore, RecordName, SecretStore, SweepRule } from './ports.ts';
export { allows, parseScope } from './scopes.ts';
export type {
  Credential,
  CredentialStatus,
  CredentialUse,
  KeySource,
  LoggedUse,
  VaultFault,
} from './types.ts';
export { VAULT_ERROR_CODES, type VaultErrorCode } from './types.ts';
export { type NewCredential, type Rotation, Vault, type VaultParts } from './vault.ts';
export {
  VAULT_STREAM,
  type VaultEventBodies,
  type VaultEventData,
  type VaultEventType,
} from './vault-events.ts';
export { examineVault, type VaultExamination } from './vault-faults.ts';
export { vaultProjection } from './vault-projection.ts';
