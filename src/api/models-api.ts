import * as z from 'zod';
import { list, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** A model found on this machine. */
const modelSuggestionView = z.object({
  name: text,
  provider: z.enum(['openai', 'anthropic', 'ollama']),
  /** Missing if the user has to choose one. */
  model: text.exactOptional(),
  /** The models that the provider lists. */
  choices: list(text),
  why: text,
});
export type ModelSuggestionView = TypeOf<typeof modelSuggestionView>;

const useModelRequest = z.object({
  /** The name that graphs and agents will use. */
  name: text,
  provider: text,
  model: text,
});
export type UseModelRequest = TypeOf<typeof useModelRequest>;

const priceRequest = z.object({
  /** The model as `provider/model`. */
  model: text,
  /** US dollars per million tokens. */
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().exactOptional(),
});
export type ModelPriceRequest = TypeOf<typeof priceRequest>;

/** Model setup. */
export interface ModelsApi {
  /** Looks for keys in the environment and a local Ollama, and asks the providers for their models. */
  suggest(): Promise<readonly ModelSuggestionView[]>;
  /** The names of the configured models. */
  configured(): Promise<readonly string[]>;
  /** Adds a model to the user's configuration; it becomes the default if there is none. */
  use(request: UseModelRequest): Promise<{ readonly file: string; readonly default: string }>;
  /** Sets the price of a model in the user's configuration, wherever the model is named. */
  setPrice(request: ModelPriceRequest): Promise<{ readonly file: string }>;
}

export const modelsSchemas: SchemasOf<ModelsApi> = {
  suggest: [[], list(modelSuggestionView)],
  configured: [[], list(text)],
  use: [[useModelRequest], z.object({ file: text, default: text })],
  setPrice: [[priceRequest], z.object({ file: text })],
};
