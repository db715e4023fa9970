export { EncryptedSecrets } from './encrypted-secrets.ts';
export type { KeyStore } from './key-stores.ts';
export type { Exclusively } from './locked-file.ts';
