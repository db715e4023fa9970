import type { Clock } from '../../kernel/index.ts';
import { type ModelPrice, modelError, providerFacts } from '../../models/index.ts';
import { memberOf, readJsonBody } from './read-json.ts';
import { type AskedModel, failedResponse, toModelError } from './to-model-error.ts';
import type { ModelSettings } from './types.ts';

/** A model as its provider lists it, with what the list says about it. */
export interface ListedModel {
  readonly id: string;
  /** Epoch seconds or milliseconds, as the provider gives it; 0 if it does not. */
  readonly createdAt: number;
  readonly contextTokens?: number;
  readonly price?: ModelPrice;
  readonly tools?: boolean;
}

export interface ListOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch;
  /** How long a provider may take. Default: ten seconds. */
  readonly timeoutMs?: number;
  /** Removes secrets from a provider's message. */
  readonly redact?: (text: string) => string;
}

const TIMEOUT_MS = 10_000;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MILLION = 1_000_000;

/** The models that a provider lists. Fails like a call of the model. */
export async function listModels(
  settings: ModelSettings,
  options: ListOptions,
): Promise<readonly ListedModel[]> {
  const isOllama = settings.entry.provider === 'ollama';
  const path = isOllama
    ? '/tags'
    : settings.entry.provider === 'anthropic'
      ? '/models?limit=1000'
      : '/models';
  const body = await ask(settings, `${settings.baseUrl}${path}`, options);
  const listed = memberOf(body, isOllama ? 'models' : 'data');
  if (Array.isArray(listed)) return listed.flatMap(toListed);
  throw modelError(
    'models.malformed',
    `${settings.entry.provider} at ${settings.baseUrl} does not list its models. Check the address.`,
    { data: { provider: settings.entry.provider } },
  );
}

/** What a local server says about one model beyond its list; empty if it says nothing. */
export async function describeModel(
  settings: ModelSettings,
  options: ListOptions,
): Promise<Pick<ListedModel, 'contextTokens' | 'tools'>> {
  const { entry, baseUrl } = settings;
  const { origin } = new URL(baseUrl);
  try {
    if (entry.provider === 'ollama') {
      const shown = await ask(settings, `${baseUrl}/show`, options, { model: entry.model });
      const info = Object.entries((memberOf(shown, 'model_info') ?? {}) as object);
      const [, context] = info.find(([name]) => name.endsWith('.context_length')) ?? [];
      const abilities = memberOf(shown, 'capabilities');
      return {
        ...sizeIn(context),
        ...(Array.isArray(abilities) ? { tools: abilities.includes('tools') } : {}),
      };
    }
    if (entry.provider === 'llamacpp') {
      const props = await ask(settings, `${origin}/props`, options);
      return sizeIn(memberOf(memberOf(props, 'default_generation_settings'), 'n_ctx'));
    }
    if (entry.provider === 'lmstudio') {
      const shown = await ask(
        settings,
        `${origin}/api/v0/models/${encodeURIComponent(entry.model)}`,
        options,
      );
      return sizeIn(memberOf(shown, 'loaded_context_length') ?? memberOf(shown, 'max_context_length'));
    }
  } catch {
    options.signal.throwIfAborted();
  }
  return {};
}

async function ask(
  settings: ModelSettings,
  url: string,
  { clock, signal, fetch: open = fetch, timeoutMs = TIMEOUT_MS, redact = (text) => text }: ListOptions,
  send?: object,
): Promise<unknown> {
  const { entry, key } = settings;
  const asked: AskedModel = {
    provider: entry.provider,
    model: entry.model,
    baseUrl: settings.baseUrl,
    keyPlace: key?.place,
    redact,
    now: () => clock.now(),
  };
  const late = new AbortController();
  const message = `${entry.provider} did not answer within ${timeoutMs / 1_000} seconds. Check the address ${settings.baseUrl}.`;
  const cancel = clock.callAt(clock.now() + timeoutMs, () =>
    late.abort(modelError('models.silent', message)),
  );
  try {
    const response = await open(url, {
      headers: { ...headersFor(settings), ...(send && { 'content-type': 'application/json' }) },
      ...(send && { method: 'POST', body: JSON.stringify(send) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    });
    const body = await readJsonBody(response, MAX_LIST_BYTES);
    if (!response.ok) throw failedResponse(response.status, body, asked);
    return body;
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(late.signal.aborted ? late.signal.reason : error, asked);
  } finally {
    cancel();
  }
}

function headersFor({ entry, key }: ModelSettings): Record<string, string> {
  if (key === undefined) return {};
  return providerFacts(entry.provider)?.wire === 'anthropic'
    ? { 'x-api-key': key.value, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key.value}` };
}

const CONTEXT_FIELDS = [
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'max_input_tokens',
] as const;

function toListed(model: unknown): ListedModel[] {
  const id = memberOf(model, 'id') ?? memberOf(model, 'name');
  if (typeof id !== 'string' || id === '') return [];
  const created = memberOf(model, 'created') ?? memberOf(model, 'created_at');
  const at = typeof created === 'number' ? created : Date.parse(typeof created === 'string' ? created : '');
  const context = CONTEXT_FIELDS.map((field) => memberOf(model, field)).find(
    (size) => sizeIn(size) !== NO_SIZE,
  );
  const parameters = memberOf(model, 'supported_parameters');
  return [
    {
      // Gemini lists its models under a path.
      id: id.replace(/^models\//, ''),
      createdAt: Number.isNaN(at) ? 0 : at,
      ...sizeIn(context),
      ...priceIn(memberOf(model, 'pricing')),
      ...(Array.isArray(parameters) ? { tools: parameters.includes('tools') } : {}),
    },
  ];
}

const NO_SIZE: { readonly contextTokens?: number } = {};

function sizeIn(size: unknown): { readonly contextTokens?: number } {
  return typeof size === 'number' && Number.isSafeInteger(size) && size > 0
    ? { contextTokens: size }
    : NO_SIZE;
}

/** OpenRouter lists dollars per token, as text. */
function priceIn(pricing: unknown): { readonly price?: ModelPrice } {
  const [input, output] = ['prompt', 'completion'].map((name) => perMillion(memberOf(pricing, name)));
  return input === undefined || output === undefined ? {} : { price: { input, output } };
}

function perMillion(dollars: unknown): number | undefined {
  const amount = typeof dollars === 'string' && dollars.trim() !== '' ? Number(dollars) : Number.NaN;
  // Rounds away what the multiplication adds to a decimal fraction.
  return amount >= 0 && Number.isFinite(amount) ? Number((amount * MILLION).toPrecision(12)) : undefined;
}
