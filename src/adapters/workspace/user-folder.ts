import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileVersion } from '../../disk/index.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { realPathOf, TrustRecords } from './trust-records.ts';
import { WorkspaceFolder } from './workspace-folder.ts';

/** A model as it is written in `config.json`. */
export interface StoredModel {
  readonly provider: string;
  readonly model?: string;
  readonly base_url?: string;
  readonly api_key?: { readonly env: string } | { readonly vault: string };
  readonly context_tokens?: number;
  readonly price?: { readonly input: number; readonly output: number; readonly cached_input?: number };
  readonly streaming?: boolean;
  readonly tools?: boolean;
  readonly json?: boolean;
}

interface StoredConfig {
  readonly models?: Readonly<Record<string, StoredModel>>;
  readonly default_model?: string;
  readonly prices?: Readonly<Record<string, unknown>>;
}

interface SavedModels {
  readonly file: string;
  readonly default: string | undefined;
}

/** The user's own folder with trust, out of reach of any workspace. */
export class UserFolder {
  readonly trust: TrustRecords;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.trust = new TrustRecords(directory);
  }

  isTrusted(folder: WorkspaceFolder): boolean {
    return this.trust.find(folder.identity()) !== undefined;
  }

  /** Revokes trust, because the workspace's content has changed since the user trusted it. */
  revokeTrust(workspace: string): { readonly path: string; readonly revoked: boolean } {
    const path = realPathOf(workspace);
    return { path, revoked: this.trust.remove(path) };
  }

  /** Tells whether the user's configuration file has changed. */
  get configVersion(): string {
    return fileVersion(this.#config);
  }

  /** The folder of the user's own vault and its ledger. They hold what all workspaces may use. */
  vaultFolder(): WorkspaceFolder {
    return new WorkspaceFolder(join(this.#directory, 'user'));
  }

  /** Creates the folder of the user's own vault. */
  createVaultFolder(): WorkspaceFolder {
    const folder = this.vaultFolder();
    mkdirSync(folder.directory, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** True once: when the user has not been offered a model before. */
  offerModel(): boolean {
    let isFirst = false;
    changeJsonFile<{ readonly model_offered?: boolean }>(join(this.#directory, 'state.json'), (state) => {
      isFirst = state?.model_offered !== true;
      return isFirst ? { ...state, model_offered: true } : state;
    });
    return isFirst;
  }

  /** The entries of models in the user's own configuration, as written. */
  models(): { readonly models: Readonly<Record<string, StoredModel>>; readonly default: string | undefined } {
    const { models = {}, default_model: chosen } = (readJsonFile(this.#config) ?? {}) as StoredConfig;
    return { models, default: chosen ?? Object.keys(models)[0] };
  }

  /** Adds or replaces a model in the user's configuration, as the default if there is none. */
  addModel(name: string, entry: StoredModel, { makeDefault = false } = {}): SavedModels {
    return this.#change(({ models = {}, default_model: chosen, ...config }) => {
      const before = chosen ?? Object.keys(models)[0] ?? name;
      return { ...config, models: { ...models, [name]: entry }, default_model: makeDefault ? name : before };
    });
  }

  /** Chooses the model that is used where none is named. */
  setDefaultModel(name: string): SavedModels {
    return this.#change((config) => ({ ...config, default_model: name }));
  }

  /** Removes a model. If it was the default, the first one left becomes the default. */
  removeModel(name: string): SavedModels {
    return this.#change(
      ({ models: { [name]: _removed, ...models } = {}, default_model: chosen, ...config }) => {
        const next = chosen === name || chosen === undefined ? Object.keys(models)[0] : chosen;
        return { ...config, models, ...(next === undefined ? {} : { default_model: next }) };
      },
    );
  }

  /** Sets the price of a model, named as `provider/model`. */
  setPrice(model: string, price: NonNullable<StoredModel['price']>): { readonly file: string } {
    const { file } = this.#change((config) => ({ ...config, prices: { ...config.prices, [model]: price } }));
    return { file };
  }

  #change(change: (config: StoredConfig) => StoredConfig): SavedModels {
    let saved: StoredConfig = {};
    changeJsonFile<StoredConfig>(this.#config, (config = {}) => {
      saved = change(config);
      return saved;
    });
    return { file: this.#config, default: saved.default_model };
  }

  get #config(): string {
    return join(this.#directory, 'config.json');
  }
}
