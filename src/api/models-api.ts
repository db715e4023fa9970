import * as z from 'zod';

import { list, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** A model that this machine could use, found without anyone naming it. */
const modelSuggestionView = z.object({
  name: text,
  provider: z.enum(['openai', 'anthropic', 'ollama']),
  /** Left out where the person has to name one. */
  model: text.exactOptional(),
  /** What the provider says it has. */
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

/** Setting up models. */
export interface ModelsApi {
  /** Keys in the environment and an Ollama that runs here; asks the providers what they have. */
  suggest(): Promise<readonly ModelSuggestionView[]>;
  /** Whether any model is configured. */
  configured(): Promise<readonly string[]>;
  /** Puts a model into the person's own configuration, as the default unless there is one. */
  use(request: UseModelRequest): Promise<{ readonly file: string; readonly default: string }>;
}

export const modelsSchemas: SchemasOf<ModelsApi> = {
  suggest: [[], list(modelSuggestionView)],
  configured: [[], list(text)],
  use: [[useModelRequest], z.object({ file: text, default: text })],
};
