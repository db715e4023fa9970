import type { CredentialUse } from '../../engine/index.ts';
import { textOf } from '../../kernel/index.ts';
import { ollamaAddress } from './ollama-address.ts';
import type {
  ModelKey,
  ModelSettings,
  ProviderEnvironment,
  RemoteEntry,
  RemoteProviderName,
} from './types.ts';

/** Looks up a secret of the vault; undefined when there is none of that name. */
export type SecretLookup = (name: string, use: CredentialUse) => Promise<string | undefined>;

interface Sources {
  readonly environment: ProviderEnvironment;
  readonly secret: SecretLookup;
}

interface ProviderDefaults {
  /** Where it is unless told; undefined where it has to be told. */
  baseUrl(environment: ProviderEnvironment): string | undefined;
  key(environment: ProviderEnvironment): ModelKey | undefined;
  /** The variable that usually holds its key; undefined where no key is needed. */
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

/** Where a model is and which key it takes, or everything that stands in the way. Nothing is asked over the network. */
export async function resolveSettings(
  entry: RemoteEntry,
  { environment, secret }: Sources,
): Promise<{ readonly settings?: ModelSettings; readonly problems: readonly string[] }> {
  const defaults = DEFAULTS[entry.provider];
  if (!defaults)
    return {
      problems: [
        `the provider "${textOf(entry.provider)}" is not known; use ${Object.keys(DEFAULTS).join(', ')} or scripted`,
      ],
    };
  const problems: string[] = [];
  if (!entry.model) problems.push('no model of the provider is named; add "model"');
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
  if (address === undefined) return { url: '', problem: 'no address is named; add "base_url"' };
  try {
    if (provider === 'ollama') return { url: ollamaAddress(address) };
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('not http');
    const path = url.pathname.replace(/\/+$/, '');
    // The environment names Anthropic's host alone, as its own tools expect; the version stands in the path.
    return { url: url.origin + (provider === 'anthropic' && path === '' ? '/v1' : path) };
  } catch {
    return { url: '', problem: `"${address}" is not an address; write it like http://127.0.0.1:8080/v1` };
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
        problem: `it has an address of the project's own, so it gets no variable of yours; put it into your own configuration, or name a key with "api_key": { "vault": "…" }`,
      };
    const key = keyFrom(environment.get(apiKey.env), apiKey.env);
    return key ? { key } : { problem: `the variable ${apiKey.env} with its key is not set; set it` };
  }
  if (apiKey) {
    const value = await secret(apiKey.vault, { tool: `model:${entry.provider}`, from, ...hostOf(baseUrl) });
    const key = keyFrom(value, `the vault's "${apiKey.vault}"`);
    return key
      ? { key }
      : { problem: `the vault has no "${apiKey.vault}"; add it with: oka vault add ${apiKey.vault}` };
  }
  // A project's own address would be a way to collect the person's keys.
  if (from === 'project' && baseUrl !== undefined)
    return keyVariable === undefined
      ? {}
      : {
          problem: `it has an address of the project's own, so it does not get the usual key; name one with "api_key": { "vault": "…" }`,
        };
  const key = usual(environment);
  if (key || keyVariable === undefined) return { key };
  return { problem: `its key was not found; set ${keyVariable}, or name one with "api_key"` };
}

function hostOf(baseUrl: string | undefined): { readonly host?: string } {
  return baseUrl !== undefined && URL.canParse(baseUrl) ? { host: new URL(baseUrl).host } : {};
}

function keyFrom(value: string | undefined, place: string): ModelKey | undefined {
  return value === undefined || value === '' ? undefined : { value, place };
}
