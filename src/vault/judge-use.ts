import type { EpochMs } from '../kernel/index.ts';
import { allows, purposeOf } from './scopes.ts';
import type { Credential, CredentialUse, VaultErrorCode } from './types.ts';

/** Why a use is refused. */
export interface UseRefusal {
  readonly code: VaultErrorCode;
  /** One word for the use log. */
  readonly why: 'revoked' | 'expired' | 'scope';
  readonly message: string;
}

/** The credential with its current status: past its expiry it is expired. */
export function withStatusAt(credential: Credential, now: EpochMs): Credential {
  const { status, expiresAt } = credential;
  return status === 'active' && expiresAt !== undefined && expiresAt <= now
    ? { ...credential, status: 'expired' }
    : credential;
}

/** Whether a use may get the value. A person who views it needs no scope. */
export function judgeUse(
  credential: Credential,
  use: CredentialUse,
  options: { readonly now: EpochMs; readonly anyScope?: boolean },
): UseRefusal | undefined {
  const { name, status, scopes } = withStatusAt(credential, options.now);
  if (status === 'revoked') return revokedFor(name);
  if (status === 'expired')
    return {
      code: 'vault.expired',
      why: 'expired',
      message: `The credential ${name} has expired. Set a new value with: oka vault rotate ${name}.`,
    };
  if (options.anyScope || allows(scopes, use)) return undefined;
  const places = scopes.length === 0 ? 'models and MCP servers of your own files' : scopes.join(', ');
  return {
    code: 'vault.not_allowed',
    why: 'scope',
    message: `The credential ${name} is allowed for ${places}, not for ${purposeOf(use)}. To allow it, revoke it and add it again with --scope.`,
  };
}

export function revokedFor(name: string): UseRefusal {
  return {
    code: 'vault.revoked',
    why: 'revoked',
    message: `The credential ${name} is revoked. Add a new one with: oka vault add ${name}.`,
  };
}
