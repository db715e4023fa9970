import { resolve } from 'node:path';
import { isBelow, readJsonFile } from '../../disk/index.ts';
import {
  type Clock,
  createRedactor,
  didYouMean,
  isOkaError,
  nearestName,
  type Random,
  type Redactor,
} from '../../kernel/index.ts';
import {
  type FoundModel,
  fallbackProviders,
  highestPrice,
  type ModelDirectory,
  type ModelPrice,
  type ModelProvider,
  modelError,
  providerFacts,
  ScriptedProvider,
  withContinuation,
  withModel,
  withoutStreaming,
  withPromptedTools,
  withRetry,
} from '../../models/index.ts';
import { entryTerms } from './entry-terms.ts';
import { chainOf, findCycle } from './model-chain.ts';
import { resolveSettings, type SecretLookup } from './resolve-settings.ts';
import type { ModelEntry, ProviderEnvironment, RemoteEntry } from './types.ts';

interface ModelDirectoryOptions {
  /** Models by the names that graphs and agents use. */
  readonly models: Readonly<Record<string, ModelEntry>>;
  /** Prices by `provider/model`, wherever such a model is named. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  readonly defaultModel: string | undefined;
  /** The folder that script paths are relative to. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: ProviderEnvironment;
  readonly secret: SecretLookup;
  /** Whether the vault has a secret, without decrypting it. */
  readonly hasSecret: (name: string) => Promise<boolean>;
  /** Receives every key that is used, and redacts errors. */
  readonly redactor?: Redactor;
  /** How long a provider may be silent unless the model overrides it. Default: two minutes. */
  readonly quietMs?: number;
  /** How often a request is made, including the first. Default: 3. */
  readonly attempts?: number;
  readonly fetch?: typeof fetch;
}

/** Why a model cannot be used. */
export interface ModelProblem {
  readonly code: 'models.not_configured' | 'models.script_invalid';
  readonly model: string;
  readonly message: string;
}

const UNCONFIGURED = /^([a-z]+)\/(.+)$/s;

/**
 * The available models: configured ones by name, and any other as `openai/gpt-4.1`. A provider is created on first use, retried
 * after transient failures, and followed by its fallbacks.
 */
export class ConfiguredModels implements ModelDirectory {
  readonly #options: ModelDirectoryOptions;
  readonly #redactor: Redactor;
  readonly #providers = new Map<string, Promise<ModelProvider>>();

  constructor(options: ModelDirectoryOptions) {
    this.#options = options;
    this.#redactor = options.redactor ?? createRedactor();
  }

  readonly #entryOf = (name: string | undefined): ModelEntry | undefined => {
    const { models } = this.#options;
    if (name === undefined) return undefined;
    if (Object.hasOwn(models, name)) return this.#priced(models[name] as ModelEntry);
    const [, provider, model] = UNCONFIGURED.exec(name) ?? [];
    const facts = provider === undefined ? undefined : providerFacts(provider);
    if (facts === undefined || model === undefined) return undefined;
    const entry = { provider: facts.id, model } as const;
    return this.#priced({ ...entry, embeddingModel: model, from: 'user' });
  };

  #priced(entry: ModelEntry): ModelEntry {
    if (entry.provider === 'scripted') return entry;
    const { priceFrom, ...terms } = entryTerms(entry, this.#options);
    return { ...entry, ...terms, isAssumed: priceFrom === 'assumed' };
  }

  async find(name: string | undefined): Promise<FoundModel> {
    const chosen = name ?? this.#options.defaultModel;
    const entry = this.#entryOf(chosen);
    if (chosen === undefined || entry === undefined) throw this.#unknown(chosen);
    const chain = chainOf(chosen, this.#entryOf);
    const provider =
      chain.length === 1
        ? this.#askedFor(chosen, await this.#open(chosen))
        : fallbackProviders(chain.map((member) => this.#openLater(member)));
    return { provider, model: modelOf(chosen, entry), ...termsOf(chain.map(this.#entryOf)) };
  }

  /** The named or default model as `provider/model`, without opening it; undefined if it is not configured. */
  nameOf(name: string | undefined): string | undefined {
    const chosen = name ?? this.#options.defaultModel;
    const entry = this.#entryOf(chosen);
    if (chosen === undefined || entry === undefined) return undefined;
    return `${entry.provider}/${modelOf(chosen, entry)}`;
  }

  /** Finds every problem with a model without calling it. */
  async check(name: string): Promise<ModelProblem[]> {
    const entry = this.#entryOf(name);
    if (!entry) return [toProblem(name, this.#unknown(name))];
    const problems: ModelProblem[] = [];
    for (const member of chainOf(name, this.#entryOf)) {
      const found = this.#entryOf(member);
      if (found) problems.push(...(await this.#problemsOf(member, found)));
      else problems.push(toProblem(name, this.#unknown(member, ', which is configured as a fallback')));
    }
    const cycle = findCycle(name, this.#entryOf);
    if (cycle)
      problems.push({
        code: 'models.not_configured',
        model: name,
        message: `The fallbacks of "${name}" form a cycle: ${cycle.join(' → ')}. Remove one of them.`,
      });
    return problems;
  }

  async #problemsOf(name: string, entry: ModelEntry): Promise<ModelProblem[]> {
    try {
      if (entry.provider === 'scripted') await this.#openScript(entry.script);
      else
        await this.#settingsOf(name, entry, async (secret) =>
          (await this.#options.hasSecret(secret)) ? 'present' : undefined,
        );
      return [];
    } catch (error) {
      return [toProblem(name, error)];
    }
  }

  #open(name: string): Promise<ModelProvider> {
    const known = this.#providers.get(name);
    if (known) return known;
    const opened = this.#openNow(name);
    this.#providers.set(name, opened);
    opened.catch(() => this.#providers.delete(name));
    return opened;
  }

  async #openNow(name: string): Promise<ModelProvider> {
    const entry = this.#entryOf(name);
    if (!entry) throw this.#unknown(name);
    if (entry.provider === 'scripted') return this.#openScript(entry.script);
    const settings = await this.#settingsOf(name, entry);
    const { openRemote } = await import('./open-remote.ts');
    const { clock, random, quietMs, attempts, fetch } = this.#options;
    const provider = await openRemote(settings, {
      clock,
      redactor: this.#redactor,
      ...(quietMs === undefined ? {} : { quietMs }),
      ...(fetch === undefined ? {} : { fetch }),
    });
    const retried = withRetry(provider, { clock, random, ...(attempts === undefined ? {} : { attempts }) });
    const able = withPromptedTools(withContinuation(retried), { always: entry.tools === false });
    return entry.streaming === false ? withoutStreaming(able) : able;
  }

  /** A chain member that is opened on first use, so that one without a key does not block the others. */
  #openLater(name: string): ModelProvider {
    const entry = this.#entryOf(name);
    const open = async (): Promise<ModelProvider> => this.#askedFor(name, await this.#open(name));
    const embed: ModelProvider['embed'] = async (texts, signal) =>
      (await (await open()).embed?.(texts, signal)) ?? [];
    return {
      name: entry?.provider ?? name,
      complete: async (request, signal) => (await open()).complete(request, signal),
      async *stream(request, signal) {
        yield* (await open()).stream(request, signal);
      },
      ...(entry && canEmbed(entry) && { embed }),
    };
  }

  /** Fixes the model that the configuration names. */
  #askedFor(name: string, provider: ModelProvider): ModelProvider {
    const entry = this.#entryOf(name);
    return entry ? withModel(provider, modelOf(name, entry)) : provider;
  }

  /** Opens the scripted model of a file; fails with `models.script_invalid`. */
  async #openScript(path: string): Promise<ModelProvider> {
    const file = resolve(this.#options.folder, path);
    const script = this.#readScript(file);
    return withContinuation(new ScriptedProvider(script, this.#options.clock));
  }

  /** A script of the workspace is in the workspace; the user's own may be anywhere. */
  #readScript(file: string): unknown {
    const { folder } = this.#options;
    try {
      const script = readJsonFile(file, isBelow(folder, file) ? { root: folder, links: 'inside' } : {});
      if (script !== undefined) return script;
      throw new Error('there is no such file');
    } catch (cause) {
      const message = `Cannot read the script ${file} as JSON: ${(cause as Error).message}. Fix it.`;
      throw modelError('models.script_invalid', message, { data: { file }, cause });
    }
  }

  async #settingsOf(name: string, entry: RemoteEntry, secret = this.#options.secret) {
    const { environment } = this.#options;
    const { settings, problems } = await resolveSettings(entry, { environment, secret });
    if (settings) return settings;
    throw modelError(
      'models.not_configured',
      `Model "${name}" of ${entry.provider} is not usable: ${problems.join('; ')}.`,
      { data: { model: name, provider: entry.provider, problems } },
    );
  }

  #unknown(model: string | undefined, role = ''): Error {
    const known = Object.keys(this.#options.models);
    const all =
      known.length === 0
        ? 'Add one: oka model add'
        : `Known models: ${known.join(', ')}. Add one: oka model add`;
    const what = model === undefined ? 'No model is configured' : `No model "${model}"${role}`;
    const near = model === undefined ? undefined : nearestName(model, known);
    return modelError(
      'models.not_configured',
      `${what}. ${near === undefined ? all : `${didYouMean(near, all)} ${all}`}`,
      { data: { model: model ?? null, configured: known } },
    );
  }
}

/** What holds for a whole chain: the highest price, the smallest limits, and whether a price is assumed. */
function termsOf(chain: readonly (ModelEntry | undefined)[]): Omit<FoundModel, 'provider' | 'model'> {
  const remote = chain.filter((entry) => entry !== undefined && entry.provider !== 'scripted');
  const prices = remote.flatMap(({ price }) => price ?? []);
  const smallest = (name: 'contextTokens' | 'maxOutputTokens') => {
    const known = remote.flatMap((entry) => entry[name] ?? []);
    return known.length === 0 ? {} : { [name]: Math.min(...known) };
  };
  return {
    ...smallest('contextTokens'),
    ...smallest('maxOutputTokens'),
    ...(remote.some(({ isAssumed }) => isAssumed) && { isAssumed: true }),
    ...(prices.length > 0 && { price: highestPrice(prices) }),
  };
}

function modelOf(name: string, entry: ModelEntry): string {
  return entry.provider === 'scripted' ? name : entry.model;
}

function canEmbed(entry: ModelEntry): boolean {
  return (
    entry.provider !== 'scripted' && entry.provider !== 'anthropic' && entry.embeddingModel !== undefined
  );
}

function toProblem(model: string, error: unknown): ModelProblem {
  if (!isOkaError(error)) throw error;
  const code = error.code === 'models.script_invalid' ? error.code : 'models.not_configured';
  return { code, model, message: error.message };
}
