/** A model that answers from a file; the path is relative to the workspace. */
interface ScriptedModelConfig {
  readonly provider: 'scripted';
  readonly script: string;
}

/** US dollars for a million tokens. */
export interface ModelPriceConfig {
  readonly input: number;
  readonly output: number;
  /** For input tokens from the provider's cache. */
  readonly cachedInput?: number;
}

/** A model of a provider that is reached over the network, or on this machine. */
interface RemoteModelConfig {
  readonly provider: 'openai' | 'anthropic' | 'ollama' | 'openai-compatible';
  readonly model: string;
  readonly baseUrl?: string;
  /** Where the key is found; by default in the provider's usual variable, and only when no `baseUrl` of a project is used. */
  readonly apiKey?: { readonly env: string } | { readonly vault: string };
  /** Other models by name, asked in turn when this one fails for now. */
  readonly fallback?: readonly string[];
  readonly price?: ModelPriceConfig;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly embeddingModel?: string;
  /** How long the provider may be silent; two minutes unless told. */
  readonly timeoutMs?: number;
  /** Whose file named it: a project's may not send the person's keys to an address of its own. */
  readonly from: 'user' | 'project';
}

export type ModelConfig = ScriptedModelConfig | RemoteModelConfig;

/** Where the ledger is copied to. */
export type ReplicationConfig =
  | {
      readonly postgres: {
        readonly urlSecret?: string;
        readonly urlEnv?: string;
        readonly schema?: string;
      };
    }
  | { readonly http: { readonly url: string; readonly tokenSecret?: string } };

/** Limits of conversations; what is not said stays as it is. */
export interface ChatConfig {
  readonly depth?: number;
  readonly turns?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly ttlMs?: number;
}

/** How long things are kept. A key that is not set is kept; `Infinity` means that the file says `forever`. */
export interface RetentionConfig {
  /** Run trees that no schedule started, from their end. */
  readonly runsMs?: number;
  /** Run trees that a schedule started, from their end. Never longer than `runs` of the same file. */
  readonly scheduledRunsMs?: number;
  /** Memory episodes, from when they were recorded. */
  readonly episodesMs?: number;
  /** The newest run trees that are always kept: this many with a schedule and this many without. */
  readonly keepLast?: number;
}

/** What a workspace's `config.json` may say. Times are in the unit that their name ends with. */
export interface OkaConfig {
  readonly limits: Readonly<Record<string, number>>;
  readonly rateLimits: Readonly<Record<string, { readonly calls: number; readonly intervalMs: number }>>;
  readonly hooks: readonly {
    readonly on: 'before_run' | 'after_run' | 'before_node' | 'after_node' | 'on_error';
    readonly command: readonly string[];
    readonly timeoutMs: number;
    readonly onFailure: 'ignore' | 'fail';
  }[];
  readonly approvalExpiresMs: number;
  /** Models by the names that graphs and agents use. */
  readonly models: Readonly<Record<string, ModelConfig>>;
  /** The model that is asked when none is named; the first one unless told. */
  readonly defaultModel: string | undefined;
  /** Whether programs need a sandbox: `required` refuses to run any without one. */
  readonly sandbox: 'auto' | 'required' | 'off';
  /** Private addresses, as `host:port`, that tools may fetch from. Only the person's own file may name some. */
  readonly allowPrivate: readonly string[];
  /** Where packages are installed from, where it is not the usual place. Only the person's own file may say. */
  readonly installs: {
    readonly npmRegistry?: string;
    readonly pipIndex?: string;
    readonly wheelFolder?: string;
  };
  /** Where the ledger is copied to. Only the person's own file may say; values are named, never written there. */
  readonly replication?: ReplicationConfig;
  /** A model whose embeddings memory uses instead of its own. Only the person's own file may say. */
  readonly embedder?: { readonly model: string; readonly dimensions: number };
  /** What chains of mentions may use, and for how long messages are shown. */
  readonly chat: ChatConfig;
  /** Every commit reaches the disk before it answers, not only effects and what is acknowledged. */
  readonly alwaysSync: boolean;
  /** How long maintenance keeps finished runs and episodes. */
  readonly retention: RetentionConfig;
}

export const DEFAULT_CONFIG: OkaConfig = {
  limits: {},
  rateLimits: {},
  hooks: [],
  approvalExpiresMs: 86_400_000,
  models: {},
  defaultModel: undefined,
  sandbox: 'auto',
  allowPrivate: [],
  installs: {},
  chat: {},
  alwaysSync: false,
  retention: {},
};

export type ConfigErrorCode =
  | 'config.not_trusted'
  | 'config.no_workspace'
  | 'config.no_folder'
  | 'config.link_refused'
  | 'config.unwritable'
  | 'config.unreadable'
  | 'config.malformed'
  | 'config.invalid';
