import { findModels } from '../../adapters/models/index.ts';
import type { ModelPriceRequest, ModelSuggestionView, ModelsApi, UseModelRequest } from '../../api/index.ts';
import { providerEnvironment } from '../../config/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

const PROVIDERS = ['openai', 'anthropic', 'ollama'];

/** Finds available models and adds them to the user's configuration. */
export class ModelSetup implements ModelsApi {
  readonly #services: Pick<WorkspaceServices, 'user' | 'clock' | 'config'>;

  constructor(services: Pick<WorkspaceServices, 'user' | 'clock' | 'config'>) {
    this.#services = services;
  }

  async suggest(): Promise<readonly ModelSuggestionView[]> {
    const { signal } = new AbortController();
    const { clock } = this.#services;
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
    return Object.keys((await this.#services.config()).models);
  }

  async use({ name, provider, model }: UseModelRequest): ReturnType<ModelsApi['use']> {
    if (!PROVIDERS.includes(provider) || model.trim() === '') {
      throw new OkaError(
        'models.not_configured',
        `"${provider}/${model}" names no model; write it as in ollama/llama3.2, with one of ${PROVIDERS.join(', ')}.`,
        { data: { provider, model } },
      );
    }
    return this.#services.user.addModel(name, { provider, model });
  }

  async setPrice({
    model,
    input,
    output,
    cachedInput,
  }: ModelPriceRequest): ReturnType<ModelsApi['setPrice']> {
    const [, provider = ''] = /^([^/]+)\/.+$/s.exec(model) ?? [];
    if (!PROVIDERS.includes(provider) && provider !== 'openai-compatible') {
      throw new OkaError(
        'models.not_configured',
        `"${model}" names no model; write it as in openai/gpt-4.1, with one of ${PROVIDERS.join(', ')}, openai-compatible.`,
        { data: { model } },
      );
    }
    const cached = cachedInput === undefined ? {} : { cached_input: cachedInput };
    return this.#services.user.setPrice(model, { input, output, ...cached });
  }
}
