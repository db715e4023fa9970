import { findModels } from '../../adapters/models/index.ts';
import type { UserFolder } from '../../adapters/workspace/index.ts';
import type { ModelSuggestionView, ModelsApi, UseModelRequest } from '../../api/index.ts';
import { type OkaConfig, providerEnvironment } from '../../config/index.ts';
import { type Clock, OkaError } from '../../kernel/index.ts';

const PROVIDERS = ['openai', 'anthropic', 'ollama'];

export interface ModelSetupParts {
  readonly user: UserFolder;
  readonly clock: Clock;
  readonly config: () => Promise<OkaConfig>;
}

/** Finds models that a person could use, and puts them into their own configuration. */
export class ModelSetup implements ModelsApi {
  readonly #parts: ModelSetupParts;

  constructor(parts: ModelSetupParts) {
    this.#parts = parts;
  }

  async suggest(): Promise<readonly ModelSuggestionView[]> {
    const { signal } = new AbortController();
    const { clock } = this.#parts;
    const found = await findModels({ environment: providerEnvironment(), clock, signal });
    return found.map(({ name, entry: { provider, model }, choices, why }) => ({
      name,
      provider,
      ...(model === undefined ? {} : { model }),
      choices,
      why,
    }));
  }

  async configured(): Promise<readonly string[]> {
    return Object.keys((await this.#parts.config()).models);
  }

  async use({ name, provider, model }: UseModelRequest): ReturnType<ModelsApi['use']> {
    if (!PROVIDERS.includes(provider) || model.trim() === '') {
      throw new OkaError(
        'models.not_configured',
        `"${provider}/${model}" names no model; write it as in ollama/llama3.2, with one of ${PROVIDERS.join(', ')}.`,
        { data: { provider, model } },
      );
    }
    return this.#parts.user.addModel(name, { provider, model });
  }
}
