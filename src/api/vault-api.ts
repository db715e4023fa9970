import type { EpochMs } from '../kernel/index.ts';

export type VaultKeySource = 'keyring' | 'file' | 'passphrase';

/** A credential; never its value. */
export interface CredentialView {
  readonly id: string;
  readonly name: string;
  readonly provider?: string;
  readonly accountHint?: string;
  readonly scopes: readonly string[];
  readonly status: 'active' | 'revoked' | 'expired';
  readonly version: number;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly lastUsedAt?: EpochMs;
  readonly expiresAt?: EpochMs;
}

export interface CredentialUseView {
  readonly name: string;
  readonly credential: string;
  readonly at: EpochMs;
  readonly outcome: 'used' | 'refused';
  readonly tool: string;
  readonly run?: string;
  /** Where the value went or was to go. */
  readonly purpose: string;
  readonly why?: string;
}

export interface AddCredentialRequest {
  readonly name: string;
  readonly value: string;
  readonly provider?: string;
  readonly accountHint?: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: EpochMs;
  /** Where a new vault keeps its key. */
  readonly keySource?: VaultKeySource;
  readonly by: string;
}

export interface RotateCredentialRequest {
  readonly name: string;
  readonly value: string;
  readonly expiresAt?: EpochMs;
  readonly by: string;
}

export interface CredentialAnswer {
  readonly credential: CredentialView;
  readonly keySource: VaultKeySource;
}

export interface CredentialListAnswer {
  readonly credentials: readonly CredentialView[];
  /** Where the key is kept; missing while there is no vault. */
  readonly keySource?: VaultKeySource;
  /** What is wrong with the stored vault. */
  readonly faults: readonly { readonly where: string; readonly what: string }[];
}

/** What can be asked of the vault. */
export interface VaultApi {
  add(request: AddCredentialRequest): Promise<CredentialAnswer>;
  list(): Promise<CredentialListAnswer>;
  show(name: string): Promise<CredentialView>;
  /** The value, for a person who looks at it; on record as a use. */
  reveal(name: string, by: string): Promise<string>;
  uses(name: string | undefined, limit: number): Promise<readonly CredentialUseView[]>;
  /** Erases the value. */
  revoke(name: string, by: string): Promise<CredentialView>;
  rotate(request: RotateCredentialRequest): Promise<CredentialAnswer>;
  rotateKey(request: {
    readonly keySource?: VaultKeySource;
    readonly passphrase?: string;
    readonly by: string;
  }): Promise<{ readonly keySource: VaultKeySource }>;
  /** Gives the passphrase, after `vault.passphrase_needed`. */
  unlock(passphrase: string): Promise<void>;
}
