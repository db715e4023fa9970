import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { workspaceName } from './workspace-name.ts';

interface TrustFile {
  readonly workspaces: Readonly<Record<string, { readonly trustedAt: number }>>;
}

/** The user's own folder with trust, out of reach of any workspace. */
export class UserFolder {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  isTrusted(workspace: string): boolean {
    return Object.hasOwn(this.#trust().workspaces, workspaceName(workspace));
  }

  trust(workspace: string): void {
    const workspaces = {
      ...this.#trust().workspaces,
      [workspaceName(workspace)]: { trustedAt: this.#clock.now() },
    };
    writeJsonFile(join(this.#directory, 'trust.json'), { workspaces } satisfies TrustFile);
  }

  /** Revokes trust, because the workspace's content has changed since the user trusted it. */
  revokeTrust(workspace: string): void {
    const { [workspaceName(workspace)]: known, ...workspaces } = this.#trust().workspaces;
    if (known === undefined) return;
    writeJsonFile(join(this.#directory, 'trust.json'), { workspaces } satisfies TrustFile);
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

  #trust(): TrustFile {
    return (readJsonFile(join(this.#directory, 'trust.json')) as TrustFile | undefined) ?? { workspaces: {} };
  }
}
