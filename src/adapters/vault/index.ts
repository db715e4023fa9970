export { CredentialTable } from './credential-table.ts';
export { EncryptedSecrets } from './encrypted-secrets.ts';
export type { KeyKeeper } from './key-keeper.ts';
export type { Exclusively } from './locked-file.ts';
