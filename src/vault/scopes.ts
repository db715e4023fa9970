import { OkaError } from '../kernel/index.ts';
import type { CredentialUse, VaultErrorCode } from './types.ts';

const NAMED = /^(tool|mcp|model):[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const HOST = /^host:(\*\.)?([^*\s/@?#\\]{1,253})$/;

/** Reads a scope and answers with its one spelling. */
export function parseScope(scope: string): string {
  if (scope === '*' || NAMED.test(scope)) return scope;
  const [, wildcard = '', host] = HOST.exec(scope) ?? [];
  const plain = host === undefined ? undefined : plainHost(host);
  if (plain !== undefined) return `host:${wildcard}${plain.name}${plain.port}`;
  const code: VaultErrorCode = 'vault.invalid_scope';
  throw new OkaError(
    code,
    `"${scope}" is no scope; write host:api.example.org, tool:process.run, mcp:<server>, model:<provider>, or * for anywhere.`,
    { data: { scope } },
  );
}

/** The place that a value goes to, as the log of uses tells it. */
export function purposeOf({ tool, host }: CredentialUse): string {
  const asker = /^(mcp|model):/.test(tool) ? tool : `tool:${tool}`;
  return host === undefined ? asker : `${asker} host:${host}`;
}

/**
 * Whether a value with these scopes may go where the use takes it. Scopes of one kind are alternatives; scopes about who
 * asks (`tool`, `mcp`, `model`) and scopes about the host narrow each other. Without scopes a value goes only to the
 * models and MCP servers of files, never to what a planner calls. A project's file that names a host of its own needs
 * a scope for that very host.
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
    return hosts.some((scope) => fits(scope, use.host as string));
  return true;
}

function fits(scope: string, host: string): boolean {
  const actual = plainHost(host);
  if (actual === undefined) return false;
  const wildcard = scope.startsWith('host:*.');
  const wanted = plainHost(scope.slice(wildcard ? 7 : 5));
  if (wanted === undefined || (wanted.port !== '' && wanted.port !== actual.port)) return false;
  return wildcard ? actual.name.endsWith(`.${wanted.name}`) : actual.name === wanted.name;
}

/** A host in the spelling that connections use; undefined when it is none. */
function plainHost(host: string): { readonly name: string; readonly port: string } | undefined {
  if (/[\s/@?#\\]/.test(host)) return undefined;
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  const bare = port === undefined ? host : host.slice(0, -port.length - 1);
  if (!URL.canParse(`https://${bare}`) || Number(port ?? 1) > 65_535) return undefined;
  const name = new URL(`https://${bare}`).hostname.replace(/\.$/, '');
  return name === '' ? undefined : { name, port: port === undefined ? '' : `:${Number(port)}` };
}
