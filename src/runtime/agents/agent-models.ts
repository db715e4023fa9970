import { ConfiguredModels } from '../../adapters/models/index.ts';
import { AGENT_MODEL_PREFIX, type AgentDefinition, type AgentModel } from '../../agent/index.ts';
import type { ModelConfig } from '../../config/index.ts';
import type { OkaError, Redactor } from '../../kernel/index.ts';
import type { ModelDirectory } from '../../models/index.ts';

interface DirectoryOptions extends ConfiguredModelsOptions {
  /** Why a model may not be used, if the user has not approved it. */
  readonly refuse: (model: string) => OkaError | undefined;
}

type ConfiguredModelsOptions = ConstructorParameters<typeof ConfiguredModels>[0];

/** Everything that calling a model needs besides its configuration. */
export type ModelSources = Omit<ConfiguredModelsOptions, 'models' | 'prices' | 'defaultModel'> & {
  readonly redactor: Redactor;
};

/** The configured models, and those of agents' files, as `agent:<name>`. */
export class AgentModelDirectory implements ModelDirectory {
  readonly #options: DirectoryOptions;
  readonly #load: (agent: string) => Promise<AgentDefinition>;
  readonly #configured: ConfiguredModels;
  readonly #ofAgents = new Map<string, ConfiguredModels>();

  constructor(options: DirectoryOptions, load: (agent: string) => Promise<AgentDefinition>) {
    this.#options = options;
    this.#load = load;
    this.#configured = new ConfiguredModels(options);
  }

  async find(name: string | undefined): ReturnType<ModelDirectory['find']> {
    const { directory, entry } = await this.#place(name);
    const refused =
      directory === this.#configured ? this.#refusalOf(entry ?? this.#options.defaultModel) : undefined;
    if (refused) throw refused;
    return directory.find(entry);
  }

  /** The named or default model as `provider/model`, without opening it; undefined if it is not configured. */
  async nameOf(name: string | undefined): Promise<string | undefined> {
    const { directory, entry } = await this.#place(name);
    return directory.nameOf(entry);
  }

  /** The directory that has a model, and the model's name in it. */
  async #place(
    name: string | undefined,
  ): Promise<{ readonly directory: ConfiguredModels; readonly entry: string | undefined }> {
    if (name?.startsWith(AGENT_MODEL_PREFIX) !== true) return { directory: this.#configured, entry: name };
    const { model } = await this.#load(name.slice(AGENT_MODEL_PREFIX.length));
    if (model === undefined) return { directory: this.#configured, entry: undefined };
    if ('configured' in model) return { directory: this.#configured, entry: model.configured };
    // The file may have changed since.
    const key = `${name} ${JSON.stringify(model)}`;
    const directory = this.#ofAgents.get(key) ?? this.#with(name, model);
    this.#ofAgents.set(key, directory);
    return { directory, entry: name };
  }

  /** Problems that would keep a configured model from answering. */
  async check(name: string): ReturnType<ConfiguredModels['check']> {
    const refused = this.#refusalOf(name);
    if (refused) return [{ code: 'models.not_configured', model: name, message: refused.message }];
    return this.#configured.check(name);
  }

  /** Problems that would keep an agent's model from answering, found without calling it. */
  checkModel(model: AgentModel): ReturnType<ConfiguredModels['check']> {
    if ('configured' in model) return this.check(model.configured);
    const name = model.model ?? model.script ?? model.provider;
    return this.#with(name, model).check(name);
  }

  /** The user's own model of the same name may be used. */
  #refusalOf(name: string | undefined): OkaError | undefined {
    if (name === undefined || Object.hasOwn(this.#options.models, name)) return undefined;
    return this.#options.refuse(name);
  }

  #with(name: string, model: OwnModel): ConfiguredModels {
    const models = { ...this.#options.models, [name]: toConfig(model) };
    return new ConfiguredModels({ ...this.#options, models });
  }
}

type OwnModel = Exclude<AgentModel, { readonly configured: string }>;

/** Agent files are part of the workspace, so their models count as the project's configuration. */
function toConfig({ provider, model = '', script = '', fallback }: OwnModel): ModelConfig {
  if (provider === 'scripted') return { provider, script };
  return {
    provider: provider as 'openai',
    model,
    from: 'project',
    ...(fallback === undefined ? {} : { fallback }),
  };
}
