import type { EpochMs } from '../kernel/index.ts';
import { allows, purposeOf } from './scopes.ts';
import type { Credential, CredentialUse, VaultErrorCode } from './types.ts';

/** Why a use is refused. */
export interface UseRefusal {
  readonly code: VaultErrorCode;
  /** One word for the log. */
  readonly why: 'revoked' | 'expired' | 'scope';
  readonly message: string;
}

/** The credential as it is now: an end that has come makes it expired. */
export function withStatusAt(credential: Credential, now: EpochMs): Credential {
  const { status, expiresAt } = credential;
  return status === 'active' && expiresAt !== undefined && expiresAt <= now
    ? { ...credential, status: 'expired' }
    : credential;
}

/** Whether the value may go where the use takes it. A person who looks at it needs no scope. */
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
      message: `the credential ${name} has expired; give it a new value with: oka vault rotate ${name}.`,
    };
  if (options.anyScope || allows(scopes, use)) return undefined;
  const places = scopes.length === 0 ? 'models and MCP servers of your own files' : scopes.join(', ');
  return {
    code: 'vault.not_allowed',
    why: 'scope',
    message: `the credential ${name} may go to ${places}, not to ${purposeOf(use)}. If it may, revoke it and add it again with --scope.`,
  };
}

/** What is said of a credential that is revoked. */
export function revokedFor(name: string): UseRefusal {
  return {
    code: 'vault.revoked',
    why: 'revoked',
    message: `the credential ${name} is revoked; add a new one with: oka vault add ${name}.`,
  };
}
