import type { CredentialUse } from '../../engine/index.ts';
import { textOf } from '../../kernel/index.ts';
import type {
  ModelKey,
  ModelSettings,
  ProviderEnvironment,
  RemoteEntry,
  RemoteProviderName,
} from './types.ts';

/** Returns a secret of the vault; undefined if there is none of this name. */
export type SecretLookup = (name: string, use: CredentialUse) => Promise<string | undefined>;

interface Sources {
  readonly environment: ProviderEnvironment;
  readonly secret: SecretLookup;
}

interface ProviderDefaults {
  /** The default address; undefined if it must be configured. */
  baseUrl(environment: ProviderEnvironment): string | undefined;
  key(environment: ProviderEnvironment): ModelKey | undefined;
  /** The standard variable of its key; undefined if it needs no key. */
  readonly keyVariable?: string;
}

const DEFAULTS: Readonly<Record<RemoteProviderName, ProviderDefaults>> = {
  openai: {
    baseUrl: ({ openaiBaseUrl }) => openaiBaseUrl ?? 'https://api.openai.com/v1',
    key: ({ openaiKey }) => keyFrom(openaiKey, 'OPENAI_API_KEY'),
    keyVariable: 'OPENAI_API_KEY',
  },
  anthropic: {
    baseUrl: ({ anthropicBaseUrl }) => anthropicBaseUrl ?? 'https://api.anthropic.com/v1',
    key: ({ anthropicKey }) => keyFrom(anthropicKey, 'ANTHROPIC_API_KEY'),
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  ollama: { baseUrl: ({ ollamaHost }) => ollamaHost ?? '', key: () => undefined },
  'openai-compatible': { baseUrl: () => undefined, key: () => undefined },
};

/** Resolves address and key of a model, or lists all problems. Makes no network request. */
export async function resolveSettings(
  entry: RemoteEntry,
  { environment, secret }: Sources,
): Promise<{ readonly settings?: ModelSettings; readonly problems: readonly string[] }> {
  const defaults = DEFAULTS[entry.provider];
  if (!defaults)
    return {
      problems: [
        `unknown provider "${textOf(entry.provider)}"; use ${Object.keys(DEFAULTS).join(', ')} or scripted`,
      ],
    };
  const problems: string[] = [];
  if (!entry.model) problems.push('"model" is missing');
  const address = addressOf(entry.provider, entry.baseUrl ?? defaults.baseUrl(environment));
  if (address.problem) problems.push(address.problem);
  const { key, problem } = await keyOf(entry, defaults, environment, secret);
  if (problem) problems.push(problem);
  if (problems.length > 0) return { problems };
  return { settings: { entry, baseUrl: address.url, ...(key && { key }) }, problems };
}

function addressOf(
  provider: RemoteProviderName,
  address: string | undefined,
): { readonly url: string; readonly problem?: string } {
  if (address === undefined) return { url: '', problem: '"base_url" is missing' };
  try {
    if (provider === 'ollama') return { url: ollamaAddress(address) };
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('not http');
    const path = url.pathname.replace(/\/+$/, '');
    // The variable contains only Anthropic's host, as its own tools expect; the API version is part of the path.
    return { url: url.origin + (provider === 'anthropic' && path === '' ? '/v1' : path) };
  } catch {
    return { url: '', problem: `"${address}" is not a valid address; use the form http://127.0.0.1:8080/v1` };
  }
}

async function keyOf(
  entry: RemoteEntry,
  { key: usual, keyVariable }: ProviderDefaults,
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
      : { problem: `the vault has no "${apiKey.vault}"; add it with: oka vault add ${apiKey.vault}` };
  }
  // A project could use its own address to collect the user's keys.
  if (from === 'project' && baseUrl !== undefined)
    return keyVariable === undefined
      ? {}
      : {
          problem: `its address is set by the project, so your key is not sent there; set "api_key": { "vault": "…" }`,
        };
  const key = usual(environment);
  if (key || keyVariable === undefined) return { key };
  return { problem: `no API key; set ${keyVariable} or "api_key"` };
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
