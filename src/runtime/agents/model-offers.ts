// Owns: what a provider offers before a model of it is configured: its address, its key, its models.
import {
  cutKeys,
  describeModel,
  type ListedModel,
  listModels,
  type RemoteEntry,
  resolveSettings,
} from '../../adapters/models/index.ts';
import type { StoredModel } from '../../adapters/workspace/index.ts';
import type {
  AddModelRequest,
  ModelProviderRequest,
  ModelProviderView,
  OfferedModel,
} from '../../api/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import {
  factsOf,
  keyNameOf,
  PROVIDER_CATALOGUE,
  PROVIDER_IDS,
  type ProviderFacts,
  type ProviderId,
  providerFacts,
} from '../../models/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

type Services = Pick<WorkspaceServices, 'clock' | 'modelSources' | 'userVault'>;

/** How long a local server may take to say that it runs. */
const LOCAL_TIMEOUT_MS = 700;
/** Models that cannot chat. They can still be named. */
const NO_CHAT =
  /embed|bert|minilm|\bbge\b|whisper|\btts\b|-tts|dall-e|moderation|realtime|transcribe|image|audio|sora|davinci|babbage|rerank|ocr|guard/i;

export function requireProvider(id: string): ProviderFacts & { readonly id: ProviderId } {
  const facts = providerFacts(id);
  if (facts !== undefined) return facts;
  const known = `Providers: ${PROVIDER_IDS.join(', ')}.`;
  const near = nearestName(id, PROVIDER_IDS);
  throw new OkaError(
    'models.not_configured',
    `Unknown provider "${id}". ${near === undefined ? known : didYouMean(near, known)}`,
    { data: { provider: id } },
  );
}

/** Every provider with the place of its key, and how many models a local server lists. */
export async function findProviders(services: Services): Promise<readonly ModelProviderView[]> {
  const { environment } = await services.modelSources();
  const vault = await services.userVault();
  return Promise.all(
    PROVIDER_CATALOGUE.map(async (facts: ProviderFacts): Promise<ModelProviderView> => {
      const { id, title, baseUrl: url, needsKey, keyVariable, isLocal } = facts;
      const isSet = keyVariable !== undefined && environment.get(keyVariable) !== undefined;
      const isStored = !isSet && (await vault.has(keyNameOf(id)));
      const running = isLocal ? await countModels(services, id) : undefined;
      return {
        ...{ id, title, needsKey, isLocal },
        ...(url === undefined ? {} : { url }),
        ...(keyVariable === undefined ? {} : { keyVariable }),
        ...(isSet ? { key: 'environment' } : isStored ? { key: 'vault' } : {}),
        ...(running === undefined ? {} : { runningModels: running }),
      };
    }),
  );
}

async function countModels(services: Services, provider: string): Promise<number | undefined> {
  try {
    return (await listOf(services, { provider }, { timeoutMs: LOCAL_TIMEOUT_MS })).length;
  } catch {
    return undefined;
  }
}

/** The chat models of a provider, newest first where it says when they were made. */
export async function offeredModels(
  services: Services,
  request: ModelProviderRequest,
): Promise<readonly OfferedModel[]> {
  const listed = await listOf(services, request);
  return [...listed]
    .filter(({ id }) => !NO_CHAT.test(id))
    .sort((one, other) => other.createdAt - one.createdAt || one.id.localeCompare(other.id))
    .map(({ id, contextTokens, price, tools }) => {
      const known = factsOf(`${request.provider}/${id}`);
      const size = contextTokens ?? known?.contextTokens;
      const cost = price ?? known?.price;
      return {
        id,
        ...(size === undefined ? {} : { contextTokens: size }),
        ...(cost === undefined ? {} : { price: cost }),
        ...(tools === undefined ? {} : { tools }),
      };
    });
}

/** A model that is about to be added. */
export interface PlannedModel {
  readonly name: string;
  /** As it is written in the configuration. */
  readonly entry: StoredModel;
  readonly config: RemoteEntry;
  /** A new value for the vault. */
  readonly keyValue: string | undefined;
  /** What the provider says about its size. */
  readonly contextTokens: number | undefined;
}

/** The name of the credential of a provider's key and where it may be sent. */
export function keyPlan(
  provider: string,
  url: string | undefined,
): { readonly name: string; readonly scopes: readonly string[] } {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
  const asker = `model:${provider}`;
  // Every address with the OpenAI API is the same provider, so the host tells their keys apart.
  if (provider !== 'openai-compatible' || host === undefined)
    return { name: keyNameOf(provider), scopes: [asker] };
  return { name: keyNameOf(provider, host), scopes: [asker, `host:${host}`] };
}

export async function planModel(services: Services, request: AddModelRequest): Promise<PlannedModel> {
  const { provider, model, url, key } = request;
  if (model.trim() === '') throw new OkaError('models.not_configured', 'The name of the model is empty.');
  const facts = requireProvider(provider);
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new OkaError(
      'models.not_configured',
      `Invalid address "${url}": use the form http://127.0.0.1:8080/v1.`,
    );
  if (url === undefined && facts.baseUrl === undefined)
    throw new OkaError('models.not_configured', `Missing address of ${facts.id}. Pass it with --url.`);
  const config = await entryFor(services, request, model);
  if (facts.needsKey && config.apiKey === undefined)
    throw new OkaError(
      'models.not_configured',
      `No API key for ${facts.id}. Set ${facts.keyVariable}, or pass the key with --key-env <variable> or --key-stdin.`,
      { data: { provider: facts.id } },
    );
  const listed = await detailsOf(services, request, config);
  const { apiKey } = config;
  const price = listed.price && { input: listed.price.input, output: listed.price.output };
  return {
    name: request.name ?? `${facts.id}/${model}`,
    entry: {
      provider: facts.id,
      model,
      ...(url === undefined ? {} : { base_url: url }),
      ...(apiKey === undefined ? {} : { api_key: apiKey }),
      ...(price && factsOf(`${facts.id}/${model}`)?.price === undefined ? { price } : {}),
    },
    config,
    keyValue: key !== undefined && 'value' in key ? key.value.trim() : undefined,
    contextTokens: listed.contextTokens,
  };
}

/** What the provider says about one model; empty if it says nothing or does not answer, which the test reports. */
async function detailsOf(
  services: Services,
  request: ModelProviderRequest,
  config: RemoteEntry,
): Promise<Partial<ListedModel>> {
  try {
    const listed = await listOf(services, request, { timeoutMs: 3_000 });
    const found = listed.find(({ id }) => id === config.model);
    const { settings, options } = await settingsOf(services, request, config.model);
    return { ...found, ...(await describeModel(settings, { ...options, timeoutMs: 3_000 })) };
  } catch {
    return {};
  }
}

async function listOf(
  services: Services,
  request: ModelProviderRequest,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<readonly ListedModel[]> {
  const { settings, options } = await settingsOf(services, request, 'unknown');
  return listModels(settings, { ...options, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

async function settingsOf(services: Services, request: ModelProviderRequest, model: string) {
  const { environment, secret, redactor } = await services.modelSources();
  const given = request.key !== undefined && 'value' in request.key ? request.key.value.trim() : undefined;
  if (given !== undefined) redactor.addSecret(`key of ${request.provider}`, given);
  const config = await entryFor(services, request, model);
  const { settings, problems } = await resolveSettings(config, {
    environment,
    secret: async (name, use) => given ?? secret(name, use),
  });
  if (settings === undefined)
    throw new OkaError(
      'models.not_configured',
      `${request.provider} is not usable: ${problems.join('; ')}.`,
      {
        data: { provider: request.provider, problems },
      },
    );
  const redact = (text: string): string => redactor.text(cutKeys(text, settings.key?.value));
  return { settings, options: { clock: services.clock, signal: new AbortController().signal, redact } };
}

/** The entry of a model with the place of its key: as given, else where one is found. */
async function entryFor(
  services: Services,
  request: ModelProviderRequest,
  model: string,
): Promise<RemoteEntry> {
  const { provider, url, key } = request;
  const facts = requireProvider(provider);
  const { name } = keyPlan(provider, url);
  const apiKey = await (async (): Promise<RemoteEntry['apiKey']> => {
    if (key !== undefined) return 'env' in key ? { env: key.env } : { vault: name };
    const { environment } = await services.modelSources();
    const isSet = facts.keyVariable !== undefined && environment.get(facts.keyVariable) !== undefined;
    if (isSet && facts.keyVariable !== undefined) return { env: facts.keyVariable };
    return (await (await services.userVault()).has(name)) ? { vault: name } : undefined;
  })();
  return {
    provider: facts.id,
    model,
    from: 'user',
    ...(url === undefined ? {} : { baseUrl: url }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}
