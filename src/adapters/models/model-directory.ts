import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { type ModelProvider, modelError, ScriptedProvider } from '../../models/index.ts';
import type { ModelDirectory } from '../../tools/index.ts';

interface ModelConfig {
  readonly provider: 'scripted';
  readonly script: string;
}

/** The configured models. A provider is made when it is first asked for. */
export class ConfiguredModels implements ModelDirectory {
  readonly #models: Readonly<Record<string, ModelConfig>>;
  readonly #default: string | undefined;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #providers = new Map<string, Promise<ModelProvider>>();

  constructor(options: {
    readonly models: Readonly<Record<string, ModelConfig>>;
    readonly defaultModel: string | undefined;
    readonly folder: string;
    readonly clock: Clock;
  }) {
    this.#models = options.models;
    this.#default = options.defaultModel;
    this.#folder = options.folder;
    this.#clock = options.clock;
  }

  async find(
    name: string | undefined,
  ): Promise<{ readonly provider: ModelProvider; readonly model: string }> {
    const model = name ?? this.#default;
    const config = model === undefined ? undefined : this.#models[model];
    if (model === undefined || config === undefined) {
      const known = Object.keys(this.#models);
      const hint =
        known.length === 0 ? 'add one under "models" in .oka/config.json' : `known are ${known.join(', ')}`;
      const what = model === undefined ? 'no model is configured' : `there is no model "${model}"`;
      throw modelError('models.not_configured', `${what}; ${hint}.`, { data: { model: model ?? null } });
    }
    const provider = this.#providers.get(model) ?? this.#open(config);
    this.#providers.set(model, provider);
    provider.catch(() => this.#providers.delete(model));
    return { provider: await provider, model };
  }

  async #open(config: ModelConfig): Promise<ModelProvider> {
    const file = resolve(this.#folder, config.script);
    let script: unknown;
    try {
      script = JSON.parse(await readFile(file, 'utf8'));
    } catch (cause) {
      const message = `the script ${file} cannot be read as JSON: ${(cause as Error).message}. Mend it.`;
      throw modelError('models.script_invalid', message, { data: { file }, cause });
    }
    return new ScriptedProvider(script, this.#clock);
  }
}
