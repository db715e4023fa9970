import type { EpochMs } from '../kernel/index.ts';

type CredentialStatus = 'active' | 'revoked' | 'expired';

/** A credential without its value. */
export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly provider?: string;
  readonly accountHint?: string;
  /** Allowed uses of the value; see `allows`. */
  readonly scopes: readonly string[];
  readonly status: CredentialStatus;
  /** Increases with each rotation. */
  readonly version: number;
  /** The vault record with the value. */
  readonly record: string;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly lastUsedAt?: EpochMs;
  readonly expiresAt?: EpochMs;
}

/** Who requests a value, and its destination. */
export interface CredentialUse {
  /** A tool's name; `mcp:<server>` for a server and `model:<provider>` for a model. */
  readonly tool: string;
  readonly run?: string;
  /** The host that receives the value, if known; with a port if it matters. */
  readonly host?: string;
  /** The owner of the config file that requests it. */
  readonly from?: 'user' | 'project';
}

/** An entry of the use log. */
export interface LoggedUse {
  readonly credential: string;
  readonly name: string;
  readonly at: EpochMs;
  readonly outcome: 'used' | 'refused';
  readonly tool: string;
  readonly run?: string;
  /** The destination of the value. */
  readonly purpose: string;
  /** Why it was refused. */
  readonly why?: string;
}

/** Where the key of a vault is stored. */
export type KeySource = 'keyring' | 'file' | 'passphrase';

/** A defect of the stored vault. */
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
