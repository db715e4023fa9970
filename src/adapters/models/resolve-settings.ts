import type { CredentialUse } from '../../engine/index.ts';
import { textOf } from '../../kernel/index.ts';
import {
  keyNameOf,
  PROVIDER_IDS,
  type ProviderFacts,
  type ProviderWire,
  providerFacts,
} from '../../models/index.ts';
import type { ModelKey, ModelSettings, ProviderEnvironment, RemoteEntry } from './types.ts';

/** Returns a secret of the vault; undefined if there is none of this name. */
export type SecretLookup = (name: string, use: CredentialUse) => Promise<string | undefined>;

interface Sources {
  readonly environment: ProviderEnvironment;
  readonly secret: SecretLookup;
}

/** The address that holds without configuration; undefined if there is none. */
function usualAddress({ id, baseUrl }: ProviderFacts, environment: ProviderEnvironment): string | undefined {
  if (id === 'openai') return environment.openaiBaseUrl ?? baseUrl;
  if (id === 'anthropic') return environment.anthropicBaseUrl ?? baseUrl;
  return id === 'ollama' ? (environment.ollamaHost ?? '') : baseUrl;
}

function usualKey(
  { id, keyVariable }: ProviderFacts,
  environment: ProviderEnvironment,
): ModelKey | undefined {
  if (keyVariable === undefined) return undefined;
  if (id === 'openai') return keyFrom(environment.openaiKey, keyVariable);
  if (id === 'anthropic') return keyFrom(environment.anthropicKey, keyVariable);
  return keyFrom(environment.get(keyVariable), keyVariable);
}

/** Resolves address and key of a model, or lists all problems. Makes no network request. */
export async function resolveSettings(
  entry: RemoteEntry,
  { environment, secret }: Sources,
): Promise<{ readonly settings?: ModelSettings; readonly problems: readonly string[] }> {
  const facts = providerFacts(entry.provider);
  if (facts === undefined)
    return {
      problems: [`unknown provider "${textOf(entry.provider)}"; use ${PROVIDER_IDS.join(', ')} or scripted`],
    };
  const problems: string[] = [];
  if (!entry.model) problems.push('"model" is missing');
  const address = addressOf(facts.wire, entry.baseUrl ?? usualAddress(facts, environment));
  if (address.problem) problems.push(address.problem);
  const { key, problem } = await keyOf(entry, facts, environment, secret);
  if (problem) problems.push(problem);
  if (problems.length > 0) return { problems };
  return { settings: { entry, baseUrl: address.url, ...(key && { key }) }, problems };
}

function addressOf(
  wire: ProviderWire,
  address: string | undefined,
): { readonly url: string; readonly problem?: string } {
  if (address === undefined) return { url: '', problem: '"base_url" is missing' };
  try {
    if (wire === 'ollama') return { url: ollamaAddress(address) };
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('not http');
    const path = url.pathname.replace(/\/+$/, '');
    // The variable contains only Anthropic's host, as its own tools expect; the API version is part of the path.
    return { url: url.origin + (wire === 'anthropic' && path === '' ? '/v1' : path) };
  } catch {
    return { url: '', problem: `"${address}" is not a valid address; use the form http://127.0.0.1:8080/v1` };
  }
}

async function keyOf(
  entry: RemoteEntry,
  facts: ProviderFacts,
  environment: ProviderEnvironment,
  secret: SecretLookup,
): Promise<{ readonly key?: ModelKey | undefined; readonly problem?: string }> {
  const { apiKey, baseUrl, from } = entry;
  if (apiKey && 'env' in apiKey) {
    if (from === 'project' && baseUrl !== undefined)
      return {
        problem: `its address is set by the project, so your environment variables are not sent there; move it to your own configuration, or set "api_key": { "vault": "…" }`,
      };
    const key = keyFrom(environment.get(apiKey.env), apiKey.env);
    return key ? { key } : { problem: `set the variable ${apiKey.env} with its key` };
  }
  if (apiKey) {
    const value = await secret(apiKey.vault, { tool: `model:${entry.provider}`, from, ...hostOf(baseUrl) });
    const key = keyFrom(value, `the vault's "${apiKey.vault}"`);
    return key
      ? { key }
      : {
          problem: `the vault has no "${apiKey.vault}"; add the key with: oka model add ${entry.provider}, or: oka vault add ${apiKey.vault}`,
        };
  }
  // A project could use its own address to collect the user's keys.
  if (from === 'project' && baseUrl !== undefined)
    return facts.needsKey
      ? {
          problem: `its address is set by the project, so your key is not sent there; set "api_key": { "vault": "…" }`,
        }
      : {};
  const set = usualKey(facts, environment);
  if (set !== undefined || facts.id === 'openai-compatible') return { key: set };
  const name = keyNameOf(facts.id);
  const stored = keyFrom(await secret(name, { tool: `model:${facts.id}`, from: 'user' }), 'the vault');
  if (stored !== undefined || !facts.needsKey) return { key: stored };
  return {
    problem: `no API key for ${facts.id}; set ${facts.keyVariable} or run: oka model add ${facts.id}`,
  };
}

function hostOf(baseUrl: string | undefined): { readonly host?: string } {
  return baseUrl !== undefined && URL.canParse(baseUrl) ? { host: new URL(baseUrl).host } : {};
}

function keyFrom(value: string | undefined, place: string): ModelKey | undefined {
  return value === undefined || value === '' ? undefined : { value, place };
}

const DEFAULT_PORT = '11434';

/** The address of Ollama's API from `OLLAMA_HOST`: a host, a port, both, or a URL. */
export function ollamaAddress(host = ''): string {
  const trimmed = host.trim();
  const withHost = trimmed.startsWith(':') || trimmed === '' ? `127.0.0.1${trimmed}` : trimmed;
  const withScheme = withHost.includes('://') ? withHost : `http://${withHost}`;
  const url = new URL(withScheme);
  if (!trimmed.includes('://') && url.port === '' && !/:80$/.test(trimmed)) url.port = DEFAULT_PORT;
  // 0.0.0.0 is a listen address; connect to the loopback address instead.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/api') ? path : `${path}/api`}`;
}
