// Owns: hooks, models and tools of MCP servers that follow the project's configuration and the user's approvals while an engine is open, so that a
// daemon runs nothing that the user did not approve, and uses an approval without a restart.
import type { OkaConfig } from '../../config/index.ts';
import type { Engine, Hooks, Tool } from '../../engine/index.ts';
import type { ModelDirectory } from '../../models/index.ts';
import type { WorkspaceTrust } from './workspace-trust.ts';

interface LiveParts {
  readonly trust: Pick<WorkspaceTrust, 'version'>;
  readonly config: () => Promise<OkaConfig>;
}

type MakeHooks = (hooks: OkaConfig['hooks']) => Hooks;

const NONE: Hooks = { has: () => false, run: async () => [] };

export class LiveHooks implements Hooks {
  readonly #parts: LiveParts;
  #make: MakeHooks = () => NONE;
  #current: Hooks = NONE;
  #version: string | undefined;

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /** Runs the hooks of the configuration from now on. */
  open(config: OkaConfig, make: MakeHooks): this {
    this.#version = this.#parts.trust.version;
    this.#make = make;
    this.#current = make(config.hooks);
    return this;
  }

  /** Reads the hooks again if the configuration or the approvals have changed. */
  async refresh(): Promise<void> {
    if (this.#version !== undefined && this.#version !== this.#parts.trust.version) await this.#load();
  }

  has: Hooks['has'] = (name) => this.#current.has(name);

  /** Reads the configuration again each time, because a file that a hook names may have changed. */
  run: Hooks['run'] = async (name, event, signal) => {
    await this.#load();
    return this.#current.has(name) ? this.#current.run(name, event, signal) : [];
  };

  async #load(): Promise<void> {
    const { version } = this.#parts.trust;
    this.#current = this.#make((await this.#parts.config()).hooks);
    this.#version = version;
  }
}

/** A model directory that is opened again when the configuration or the approvals have changed. */
export async function liveModels(
  parts: Pick<LiveParts, 'trust'> & { readonly models: () => Promise<ModelDirectory> },
): Promise<ModelDirectory> {
  let { version } = parts.trust;
  let current = await parts.models();
  return {
    find: async (name) => {
      const now = parts.trust.version;
      if (now !== version) {
        current = await parts.models();
        version = now;
      }
      return current.find(name);
    },
  };
}

interface ToolParts {
  /** Differs when `tools` may have changed. */
  readonly version: () => Promise<string>;
  readonly tools: () => Promise<readonly Tool[]>;
}

/** The tools of MCP servers in an open engine: an approval, a change and a removal take effect for the next run. */
export class LiveTools {
  readonly #parts: ToolParts;
  #version: string | undefined;
  #tools: readonly Tool[] = [];

  constructor(parts: ToolParts) {
    this.#parts = parts;
  }

  /** The tools for a new engine. */
  async open(): Promise<readonly Tool[]> {
    this.#version = await this.#parts.version();
    this.#tools = await this.#parts.tools();
    return this.#tools;
  }

  async refresh({ parts: { tools: registry } }: Engine): Promise<void> {
    if (this.#version === (await this.#parts.version())) return;
    const former = this.#tools;
    registry.replace(former, await this.open());
  }
}
