import type { EpochMs } from '../kernel/index.ts';

type CredentialStatus = 'active' | 'revoked' | 'expired';

/** A credential as everybody may know it: everything but the value. */
export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly provider?: string;
  readonly accountHint?: string;
  /** Where the value may go; see `allows`. */
  readonly scopes: readonly string[];
  readonly status: CredentialStatus;
  /** One more with each rotation. */
  readonly version: number;
  /** The record of the vault that holds the value. */
  readonly record: string;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly lastUsedAt?: EpochMs;
  readonly expiresAt?: EpochMs;
}

/** Who wants a value, and where it is to go. */
export interface CredentialUse {
  /** A tool's name; `mcp:<server>` for a server and `model:<provider>` for a model. */
  readonly tool: string;
  readonly run?: string;
  /** The host that the value is sent to, where the asker was told one; with a port if it matters. */
  readonly host?: string;
  /** Whose file asks for it, where one does. */
  readonly from?: 'user' | 'project';
}

/** One entry of the log of uses. */
export interface LoggedUse {
  readonly credential: string;
  readonly name: string;
  readonly at: EpochMs;
  readonly outcome: 'used' | 'refused';
  readonly tool: string;
  readonly run?: string;
  /** Where the value went or was to go. */
  readonly purpose: string;
  /** Why it was refused. */
  readonly why?: string;
}

/** Where the key of a vault is kept. */
export type KeySource = 'keyring' | 'file' | 'passphrase';

/** Something that is wrong with the stored vault. */
export interface VaultFault {
  readonly where: string;
  readonly what: string;
}

/** Codes that the vault refuses with. */
export const VAULT_ERROR_CODES = [
  'vault.invalid_name',
  'vault.invalid_scope',
  'vault.invalid_expiry',
  'vault.not_text',
  'vault.too_short',
  'vault.too_long',
  'vault.exists',
  'vault.unknown',
  'vault.revoked',
  'vault.expired',
  'vault.not_allowed',
  'vault.key_missing',
  'vault.key_exposed',
  'vault.key_source',
  'vault.wrong_key',
  'vault.passphrase_needed',
  'vault.keyring_unavailable',
  'vault.damaged',
  'vault.newer_format',
  'vault.unreadable',
] as const;
export type VaultErrorCode = (typeof VAULT_ERROR_CODES)[number];
