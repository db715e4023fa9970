import { MAX_ASSUMED_CONTEXT } from '../../adapters/models/index.ts';
import type { StoredModel } from '../../adapters/workspace/index.ts';
import type {
  AddModelRequest,
  ModelList,
  ModelPriceRequest,
  ModelProviderRequest,
  ModelProviderView,
  ModelsApi,
  ModelTestView,
  OfferedModel,
  RemoveModelAnswer,
  UseModelRequest,
} from '../../api/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import { PROVIDER_IDS } from '../../models/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { listConfigured, requireConfigured } from './list-configured.ts';
import {
  findProviders,
  keyPlan,
  offeredModels,
  type PlannedModel,
  planModel,
  requireProvider,
} from './model-offers.ts';
import { inabilities, testModel } from './model-tests.ts';

type Services = Pick<WorkspaceServices, 'user' | 'clock' | 'config' | 'modelSources' | 'userVault'>;

/** Finds, tests and configures the user's models. */
export class ModelSetup implements ModelsApi {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async configured(): Promise<readonly string[]> {
    return Object.keys((await this.#services.config()).models);
  }

  async use({ name, provider, model }: UseModelRequest): ReturnType<ModelsApi['use']> {
    requireProvider(provider);
    if (model.trim() === '') throw noModel(`${provider}/${model}`);
    const saved = this.#services.user.addModel(name, { provider, model });
    return { ...saved, default: saved.default ?? name };
  }

  async setPrice({
    model,
    input,
    output,
    cachedInput,
  }: ModelPriceRequest): ReturnType<ModelsApi['setPrice']> {
    const [, provider = ''] = /^([^/]+)\/.+$/s.exec(model) ?? [];
    if (!PROVIDER_IDS.some((id) => id === provider)) throw noModel(model);
    const cached = cachedInput === undefined ? {} : { cached_input: cachedInput };
    return this.#services.user.setPrice(model, { input, output, ...cached });
  }

  providers(): Promise<readonly ModelProviderView[]> {
    return findProviders(this.#services);
  }

  offered(request: ModelProviderRequest): Promise<readonly OfferedModel[]> {
    return offeredModels(this.#services, request);
  }

  async add(request: AddModelRequest): ReturnType<ModelsApi['add']> {
    const { user } = this.#services;
    const planned = await planModel(this.#services, request);
    const { name, entry } = planned;
    const tested = request.test ? await this.#try(planned) : undefined;
    const place = await this.#storeKey(planned, request);
    const found = planned.contextTokens;
    const stored: StoredModel = {
      ...entry,
      ...(found === undefined ? {} : { context_tokens: usableContext(entry.provider, found) }),
      ...(tested && inabilities(tested)),
    };
    const saved = user.addModel(name, stored, { makeDefault: request.makeDefault });
    return {
      name,
      model: `${entry.provider}/${request.model}`,
      file: saved.file,
      default: saved.default ?? name,
      key: place,
      ...(tested === undefined ? {} : { test: tested }),
    };
  }

  async list(): Promise<ModelList> {
    const { user } = this.#services;
    return listConfigured(await this.#services.config(), user.models().models);
  }

  async test(named?: string): Promise<ModelTestView> {
    const { user } = this.#services;
    const config = await this.#services.config();
    const name = requireConfigured(config, named);
    const tested = await testModel(await this.#services.modelSources(), config, name);
    const stored = user.models().models[name];
    if (stored !== undefined && stored.provider !== 'scripted') {
      const { streaming: _s, tools: _t, json: _j, ...rest } = stored;
      user.addModel(name, { ...rest, ...inabilities(tested) });
    }
    return tested;
  }

  async setDefault(named: string): ReturnType<ModelsApi['setDefault']> {
    const name = requireConfigured(await this.#services.config(), named);
    const { file } = this.#services.user.setDefaultModel(name);
    return { name, file, default: (await this.#services.config()).defaultModel ?? name };
  }

  async remove(named: string, by: string): Promise<RemoveModelAnswer> {
    const { user } = this.#services;
    const name = requireConfigured(await this.#services.config(), named);
    const { models } = user.models();
    if (!Object.hasOwn(models, name))
      throw new OkaError(
        'models.not_configured',
        `Model "${name}" is part of this workspace. Remove it from .oka/config.json.`,
        { data: { model: name } },
      );
    const saved = user.removeModel(name);
    const key = vaultKeyOf(models[name]);
    const isShared = Object.values(user.models().models).some((other) => vaultKeyOf(other) === key);
    const keyErased =
      key !== undefined && !isShared && (await (await this.#services.userVault()).revoke(key, by));
    return {
      name,
      file: saved.file,
      ...(saved.default === undefined ? {} : { default: saved.default }),
      keyErased,
    };
  }

  async offerOnce(): Promise<boolean> {
    return (await this.configured()).length === 0 && this.#services.user.offerModel();
  }

  /** Calls a model that is not configured yet, with the key that was given for it. */
  async #try({ name, config, keyValue }: PlannedModel): Promise<ModelTestView> {
    const sources = await this.#services.modelSources();
    const secret: typeof sources.secret = async (key, use) => keyValue ?? sources.secret(key, use);
    return testModel({ ...sources, secret }, { models: { [name]: config }, prices: {} }, name);
  }

  async #storeKey(
    { config, keyValue }: PlannedModel,
    { by, provider }: AddModelRequest,
  ): Promise<'environment' | 'vault' | 'none'> {
    const { apiKey } = config;
    if (apiKey === undefined) return 'none';
    if ('env' in apiKey) return 'environment';
    if (keyValue !== undefined)
      await (await this.#services.userVault()).store({
        name: apiKey.vault,
        value: keyValue,
        provider,
        scopes: keyPlan(provider, config.baseUrl).scopes,
        by,
      });
    return 'vault';
  }
}

/** The name of the credential in the user's vault. */
function vaultKeyOf(model: StoredModel | undefined): string | undefined {
  const key = model?.api_key;
  return key !== undefined && 'vault' in key ? key.vault : undefined;
}

/** Ollama allocates memory for the whole context, so a large one is used only if the configuration says so. */
const MAX_OLLAMA_CONTEXT = 32_768;

function usableContext(provider: string, tokens: number): number {
  return Math.min(tokens, provider === 'ollama' ? MAX_OLLAMA_CONTEXT : MAX_ASSUMED_CONTEXT);
}

function noModel(given: string): OkaError {
  const [provider = ''] = given.split('/');
  const known = `Providers: ${PROVIDER_IDS.join(', ')}.`;
  const near = nearestName(provider, PROVIDER_IDS);
  return new OkaError(
    'models.not_configured',
    `Invalid model "${given}": expected provider/model, such as openai/gpt-4.1. ${near === undefined ? known : didYouMean(near, known)}`,
    { data: { model: given } },
  );
}
