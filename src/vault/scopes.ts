import { type EpochMs, OkaError } from '../kernel/index.ts';
import type { Credential, CredentialUse, VaultErrorCode } from './types.ts';

const NAMED = /^(tool|mcp|model):[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const HOST = /^host:(\*\.)?([^*\s/@?#\\]{1,253})$/;

/** Parses a scope and returns its canonical spelling. */
export function parseScope(scope: string): string {
  if (scope === '*' || NAMED.test(scope)) return scope;
  const [, wildcard = '', host] = HOST.exec(scope) ?? [];
  const plain = host === undefined ? undefined : normalizeHost(host);
  if (plain !== undefined) return `host:${wildcard}${plain.name}${plain.port}`;
  throw new OkaError<VaultErrorCode>(
    'vault.invalid_scope',
    `Invalid scope "${scope}": use host:api.example.org, tool:process.run, mcp:<server>, model:<provider>, or * for all.`,
    { data: { scope } },
  );
}

/** The destination of a value, as recorded in the use log. */
export function purposeOf({ tool, host }: CredentialUse): string {
  const asker = /^(mcp|model):/.test(tool) ? tool : `tool:${tool}`;
  return host === undefined ? asker : `${asker} host:${host}`;
}

/**
 * Whether these scopes allow a use. Scopes of one kind are alternatives; scopes about the caller (`tool`, `mcp`, `model`) and
 * about the host must both match. Without scopes, only models and MCP servers of config files may use the value, never tool
 * calls. A project's file that names its own host needs a scope for that host.
 */
export function allows(scopes: readonly string[], use: CredentialUse): boolean {
  if (scopes.includes('*')) return true;
  const asker = purposeOf({ tool: use.tool });
  const ofFile = !asker.startsWith('tool:');
  const fromProject = use.from === 'project';
  if (scopes.length === 0) return ofFile && !fromProject;
  const hosts = scopes.filter((scope) => scope.startsWith('host:'));
  const askers = scopes.filter((scope) => !scope.startsWith('host:'));
  if (askers.length > 0 && !askers.includes(asker)) return false;
  if (use.host === undefined) return askers.length > 0;
  if (hosts.length > 0 || (ofFile && fromProject))
    return hosts.some((scope) => matchesHost(scope, use.host as string));
  return true;
}

function matchesHost(scope: string, host: string): boolean {
  const actual = normalizeHost(host);
  if (actual === undefined) return false;
  const wildcard = scope.startsWith('host:*.');
  const wanted = normalizeHost(scope.slice(wildcard ? 7 : 5));
  if (wanted === undefined || (wanted.port !== '' && wanted.port !== actual.port)) return false;
  return wildcard ? actual.name.endsWith(`.${wanted.name}`) : actual.name === wanted.name;
}

/** Normalizes a host; undefined if it is invalid. */
function normalizeHost(host: string): { readonly name: string; readonly port: string } | undefined {
  if (/[\s/@?#\\]/.test(host)) return undefined;
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  const bare = port === undefined ? host : host.slice(0, -port.length - 1);
  if (!URL.canParse(`https://${bare}`) || Number(port ?? 1) > 65_535) return undefined;
  const name = new URL(`https://${bare}`).hostname.replace(/\.$/, '');
  return name === '' ? undefined : { name, port: port === undefined ? '' : `:${Number(port)}` };
}

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
