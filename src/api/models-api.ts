import * as z from 'zod';
import { flag, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const useModelRequest = z.object({
  /** The name that graphs and agents will use. */
  name: text,
  provider: text,
  model: text,
});
export type UseModelRequest = TypeOf<typeof useModelRequest>;

/** US dollars per million tokens. */
const priceView = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().exactOptional(),
});
export type ModelPriceView = TypeOf<typeof priceView>;

const priceRequest = priceView.extend({
  /** The model as `provider/model`. */
  model: text,
});
export type ModelPriceRequest = TypeOf<typeof priceRequest>;

const providerView = z.object({
  id: text,
  title: text,
  /** The default address; missing if the user has to give one. */
  url: text.exactOptional(),
  needsKey: flag,
  /** The environment variable that usually holds its key. */
  keyVariable: text.exactOptional(),
  /** Where a key was found. */
  key: z.enum(['environment', 'vault']).exactOptional(),
  isLocal: flag,
  /** How many models a local server lists; missing if none answers. */
  runningModels: number.exactOptional(),
});
export type ModelProviderView = TypeOf<typeof providerView>;

/** A key: the name of an environment variable, or a value for the vault. Without one, the key that is found. */
const modelKey = z.union([z.object({ env: text }), z.object({ value: text })]);

const providerRequest = z.object({
  provider: text,
  /** Overrides the address of the provider. */
  url: text.exactOptional(),
  key: modelKey.exactOptional(),
});
export type ModelProviderRequest = TypeOf<typeof providerRequest>;

const offeredModel = z.object({
  id: text,
  contextTokens: number.exactOptional(),
  price: priceView.exactOptional(),
  tools: flag.exactOptional(),
});
export type OfferedModel = TypeOf<typeof offeredModel>;

const testView = z.object({
  name: text,
  /** As `provider/model`. */
  model: text,
  /** How long the first answer took. Missing for a scripted model. */
  answeredMs: number.exactOptional(),
  streaming: flag,
  tools: flag,
  json: flag,
  contextTokens: number.exactOptional(),
  /** What Oka does about what the model cannot do. */
  notes: list(text),
});
export type ModelTestView = TypeOf<typeof testView>;

const addRequest = providerRequest.extend({
  model: text,
  /** The name that graphs and agents will use. Default: `provider/model`. */
  name: text.exactOptional(),
  /** Calls the model first, and saves nothing if it does not answer. */
  test: flag,
  /** Makes it the default. The first model always is. */
  makeDefault: flag,
  by: text,
});
export type AddModelRequest = TypeOf<typeof addRequest>;

const addAnswer = z.object({
  name: text,
  /** As `provider/model`. */
  model: text,
  file: text,
  default: text,
  /** Where the key is stored. */
  key: z.enum(['environment', 'vault', 'none']),
  test: testView.exactOptional(),
});
export type AddModelAnswer = TypeOf<typeof addAnswer>;

const modelView = z.object({
  name: text,
  /** As `provider/model`. */
  model: text,
  provider: text,
  url: text.exactOptional(),
  isDefault: flag,
  from: z.enum(['user', 'project']),
  contextTokens: number.exactOptional(),
  price: priceView.exactOptional(),
  /** Where the price comes from. */
  priceFrom: z.enum(['user', 'published', 'local', 'assumed']).exactOptional(),
  streaming: flag,
  tools: flag,
  json: flag,
});
export type ModelView = TypeOf<typeof modelView>;

const modelList = z.object({
  models: list(modelView),
  default: text.exactOptional(),
  /** The day of the published prices. */
  pricesAsOf: text,
});
export type ModelList = TypeOf<typeof modelList>;

const removeAnswer = z.object({
  name: text,
  file: text,
  default: text.exactOptional(),
  /** Whether the key was erased too, because no other model uses it. */
  keyErased: flag,
});
export type RemoveModelAnswer = TypeOf<typeof removeAnswer>;

/** Model setup. */
export interface ModelsApi {
  /** The names of the configured models. */
  configured(): Promise<readonly string[]>;
  /** Adds a model to the user's configuration; it becomes the default if there is none. */
  use(request: UseModelRequest): Promise<{ readonly file: string; readonly default: string }>;
  /** Sets the price of a model in the user's configuration, wherever the model is named. */
  setPrice(request: ModelPriceRequest): Promise<{ readonly file: string }>;
  /** Every provider, where its key is, and which local servers answer. */
  providers(): Promise<readonly ModelProviderView[]>;
  /** The models that a provider lists. */
  offered(request: ModelProviderRequest): Promise<readonly OfferedModel[]>;
  /** Tests a model, stores its key in the vault and adds it to the user's configuration. */
  add(request: AddModelRequest): Promise<AddModelAnswer>;
  list(): Promise<ModelList>;
  /** Calls a model, the default one without a name, and records what it cannot do. */
  test(name?: string): Promise<ModelTestView>;
  /** Makes a model the default. */
  setDefault(
    name: string,
  ): Promise<{ readonly name: string; readonly file: string; readonly default: string }>;
  /** Removes a model of the user's configuration, and its key if no other model uses it. */
  remove(name: string, by: string): Promise<RemoveModelAnswer>;
  /** True once, if no model is configured: when to offer the user to add one. */
  offerOnce(): Promise<boolean>;
}

export const modelsSchemas: SchemasOf<ModelsApi> = {
  configured: [[], list(text)],
  use: [[useModelRequest], z.object({ file: text, default: text })],
  setPrice: [[priceRequest], z.object({ file: text })],
  providers: [[], list(providerView)],
  offered: [[providerRequest], list(offeredModel)],
  add: [[addRequest], addAnswer],
  list: [[], modelList],
  test: [[{ name: text.optional() }], testView],
  setDefault: [[{ name: text }], z.object({ name: text, file: text, default: text })],
  remove: [[{ name: text }, { by: text }], removeAnswer],
  offerOnce: [[], flag],
};
