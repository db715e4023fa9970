import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { realPathOf, TrustRecords } from './trust-records.ts';
import type { WorkspaceFolder } from './workspace-folder.ts';

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

  /** Adds a model to the user's configuration, as the default if there is none. */
  addModel(
    name: string,
    entry: { readonly provider: string; readonly model: string },
  ): { readonly file: string; readonly default: string } {
    const file = join(this.#directory, 'config.json');
    const config = (readJsonFile(file) ?? {}) as {
      models?: Readonly<Record<string, unknown>>;
      default_model?: string;
    };
    const chosen = config.default_model ?? Object.keys(config.models ?? {})[0] ?? name;
    const models = { ...config.models, [name]: entry };
    writeJsonFile(file, { ...config, models, default_model: chosen });
    return { file, default: chosen };
  }

  /** Sets the price of a model, named as `provider/model`. */
  setPrice(
    model: string,
    price: { readonly input: number; readonly output: number; readonly cached_input?: number },
  ): { readonly file: string } {
    const file = join(this.#directory, 'config.json');
    const config = (readJsonFile(file) ?? {}) as { prices?: Readonly<Record<string, unknown>> };
    writeJsonFile(file, { ...config, prices: { ...config.prices, [model]: price } });
    return { file };
  }
}
