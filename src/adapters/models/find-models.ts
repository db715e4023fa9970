import type { Clock } from '../../kernel/index.ts';
import { memberOf, readJsonBody } from './read-json.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { ModelSettings, ProviderEnvironment, RemoteEntry } from './types.ts';

/** A model that was detected on this machine. */
export interface ModelSuggestion {
  /** A name for it under `models`. */
  readonly name: string;
  /** Its entry in `config.json`; without `model` if the user must choose one. */
  readonly entry: {
    readonly provider: 'openai' | 'anthropic' | 'ollama';
    readonly model?: string;
    readonly embedding_model?: string;
  };
  /** The models that the provider lists. */
  readonly choices: readonly string[];
  readonly why: string;
}

interface FindOptions {
  readonly environment: ProviderEnvironment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
  /** How long a provider may take to list its models. Default: two seconds. */
  readonly timeoutMs?: number;
}

interface ListedModel {
  readonly id: string;
  readonly at: number;
}

const TIMEOUT_MS = 2_000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const PLAIN_GPT = /^gpt-\d+(\.\d+)?o?$/;
const EMBEDS = /embed|bert|minilm|\bbge\b/i;

/** Detects models for setup: providers whose keys are set, and a local Ollama. */
export async function findModels(options: FindOptions): Promise<ModelSuggestion[]> {
  const { environment } = options;
  const found = await Promise.all([
    environment.openaiKey === undefined
      ? undefined
      : suggestKeyed('openai', 'OPENAI_API_KEY', options, chooseOpenai),
    environment.anthropicKey === undefined
      ? undefined
      : suggestKeyed('anthropic', 'ANTHROPIC_API_KEY', options, chooseAnthropic),
    suggestOllama(options),
  ]);
  options.signal.throwIfAborted();
  return found.filter((suggestion) => suggestion !== undefined);
}

/** Suggests a model of a provider whose key is set. `choose` gets the listed models, newest first. */
async function suggestKeyed(
  provider: 'openai' | 'anthropic',
  variable: string,
  options: FindOptions,
  choose: (newest: readonly ListedModel[]) => ListedModel | undefined,
): Promise<ModelSuggestion> {
  const settings = await settingsFor(provider, options);
  const listed = settings && (await list(settings, '/models', 'data', options));
  const model = listed && choose([...listed].sort((one, other) => other.at - one.at));
  const unknown = listed ? 'no default model could be chosen' : 'its models could not be listed';
  return {
    name: provider,
    entry: { provider, ...(model && { model: model.id }) },
    choices: listed?.map(({ id }) => id) ?? [],
    why: model
      ? `${variable} is set, and its provider lists ${model.id}`
      : `${variable} is set; ${unknown}, so choose one`,
  };
}

function chooseOpenai(newest: readonly ListedModel[]): ListedModel | undefined {
  return newest.find(({ id }) => PLAIN_GPT.test(id)) ?? (newest.length === 1 ? newest[0] : undefined);
}

function chooseAnthropic(newest: readonly ListedModel[]): ListedModel | undefined {
  return newest.find(({ id }) => id.includes('sonnet')) ?? newest[0];
}

async function suggestOllama(options: FindOptions): Promise<ModelSuggestion | undefined> {
  const settings = await settingsFor('ollama', options);
  const listed = settings && (await list(settings, '/tags', 'models', options));
  if (!settings || !listed) return undefined;
  const model = listed.find(({ id }) => !EMBEDS.test(id));
  const embedding = listed.find(({ id }) => EMBEDS.test(id));
  return {
    name: 'ollama',
    entry: {
      provider: 'ollama',
      ...(model && { model: model.id }),
      ...(embedding && { embedding_model: embedding.id }),
    },
    choices: listed.map(({ id }) => id),
    why: model
      ? `Ollama runs at ${settings.baseUrl} and has ${model.id}`
      : `Ollama runs at ${settings.baseUrl}, but has no model; get one with "ollama pull"`,
  };
}

async function settingsFor(
  provider: ModelSuggestion['entry']['provider'],
  { environment }: FindOptions,
): Promise<ModelSettings | undefined> {
  const entry: RemoteEntry = { provider, model: 'unknown', from: 'user' };
  const { settings } = await resolveSettings(entry, { environment, secret: async () => undefined });
  return settings;
}

/** The models that a provider lists; undefined if it does not answer correctly or in time. */
async function list(
  { baseUrl, key, entry }: ModelSettings,
  path: string,
  member: string,
  { clock, signal, fetch: ask = fetch, timeoutMs = TIMEOUT_MS }: FindOptions,
): Promise<readonly ListedModel[] | undefined> {
  const late = new AbortController();
  const cancel = clock.callAt(clock.now() + timeoutMs, () => late.abort());
  try {
    const response = await ask(`${baseUrl}${path}`, {
      headers: headersFor(entry.provider, key?.value),
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    });
    const listed = response.ok ? memberOf(await readJsonBody(response, MAX_LIST_BYTES), member) : undefined;
    return Array.isArray(listed) ? listed.flatMap(toListed) : undefined;
  } catch {
    return undefined;
  } finally {
    cancel();
  }
}

function headersFor(provider: RemoteEntry['provider'], key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return provider === 'anthropic'
    ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key}` };
}

function toListed(model: unknown): ListedModel[] {
  const id = memberOf(model, 'id') ?? memberOf(model, 'name');
  const created = memberOf(model, 'created') ?? memberOf(model, 'created_at');
  const at = typeof created === 'number' ? created : Date.parse(typeof created === 'string' ? created : '');
  return typeof id === 'string' && id !== '' ? [{ id, at: Number.isNaN(at) ? 0 : at }] : [];
}
