/** A model that answers from a file; the path is relative to the workspace. */
interface ScriptedModelConfig {
  readonly provider: 'scripted';
  readonly script: string;
}

/** US dollars per million tokens. */
interface ModelPriceConfig {
  readonly input: number;
  readonly output: number;
  /** For input tokens from the provider's cache. */
  readonly cachedInput?: number;
}

/** The providers of models; `src/models` describes each. */
export const MODEL_PROVIDERS = [
  'openai',
  'anthropic',
  'ollama',
  'lmstudio',
  'llamacpp',
  'vllm',
  'openrouter',
  'groq',
  'mistral',
  'deepseek',
  'gemini',
  'openai-compatible',
] as const;

/** A model of a remote or local provider. */
interface RemoteModelConfig {
  readonly provider: (typeof MODEL_PROVIDERS)[number];
  readonly model: string;
  readonly baseUrl?: string;
  /** Where the key is. Default: the provider's standard variable, unless the project sets `baseUrl`. */
  readonly apiKey?: { readonly env: string } | { readonly vault: string };
  /** Names of models to try in order after a transient failure. */
  readonly fallback?: readonly string[];
  readonly price?: ModelPriceConfig;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly embeddingModel?: string;
  /** How long the provider may be silent. Default: two minutes. */
  readonly timeoutMs?: number;
  /** How long a call may take in total. Default: ten minutes, or twice `timeoutMs` if that is longer. */
  readonly totalTimeoutMs?: number;
  /** How many bytes an answer may have, as it is sent. Default: 64 MiB. */
  readonly maxAnswerBytes?: number;
  /** What a test of the model found; a missing field means that it can. */
  readonly streaming?: boolean;
  readonly tools?: boolean;
  readonly json?: boolean;
  /** The owner of the file: a project's may not send the user's keys to its own address. */
  readonly from: 'user' | 'project';
}

export type ModelConfig = ScriptedModelConfig | RemoteModelConfig;

/** The replication target of the ledger. */
export type ReplicationConfig =
  | {
      readonly postgres: {
        readonly urlSecret?: string;
        readonly urlEnv?: string;
        readonly schema?: string;
      };
    }
  | { readonly http: { readonly url: string; readonly tokenSecret?: string } };

/** Where traces and metrics go. Nothing is sent or served unless it is set. */
export interface TelemetryConfig {
  /** The address of a collector that speaks OTLP over HTTP. */
  readonly otlp?: string;
  /** The credential that holds the headers of each request, as `name=value,name=value`. */
  readonly headersSecret?: string;
  readonly serviceName?: string;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** How often metrics are sent. */
  readonly intervalMs: number;
  /** Who may read `/metrics` of the daemon's web server: callers with the token, or every program of this machine. */
  readonly prometheus?: 'token' | 'open';
  /** The lines of the daemon's log have the fields that log collectors expect. */
  readonly jsonLogs: boolean;
}

/** Limits of conversations; unset ones keep their defaults. */
export interface ChatConfig {
  readonly depth?: number;
  readonly turns?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly ttlMs?: number;
}

/** Retention periods. Unset keys keep everything; `Infinity` is `forever` in the file. */
export interface RetentionConfig {
  /** For run trees without a schedule, counted from their end. */
  readonly runsMs?: number;
  /** For scheduled run trees, counted from their end. Never longer than `runs` of the same file. */
  readonly scheduledRunsMs?: number;
  /** For memory episodes, counted from when they were recorded. */
  readonly episodesMs?: number;
  /** The number of newest run trees to keep, each of scheduled and unscheduled ones. */
  readonly keepLast?: number;
}

/** What a program may reach besides the system and the workspace, which it can read. */
interface SandboxAccessConfig {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: boolean | { readonly hosts: readonly string[] };
}

/** Limits of a program and all processes that it starts; unset ones keep their defaults. */
interface SandboxLimitsConfig {
  readonly memoryMb?: number;
  readonly temporaryMb?: number;
  readonly processes?: number;
  readonly fileMb?: number;
  readonly cpuSeconds?: number;
  readonly openFiles?: number;
}

/** Where runs are executed. */
export interface ExecutionConfig {
  readonly backend: 'local' | 'restate';
  readonly ingress: string;
  readonly admin: string;
  /** The name of the workspace on the cluster. Default: made of the folder's name. */
  readonly project?: string;
  /** Where the project's token is. Default: the variable `OKA_PROJECT_TOKEN`. */
  readonly token?: { readonly env: string } | { readonly vault: string };
  /** How many runs of the project the cluster drives at once. Default: no limit. */
  readonly runsAtOnce?: number;
  /** Whether the daemon continues runs that a crash has interrupted, or leaves them to a person. Default: it continues. */
  readonly interrupted?: 'continue' | 'wait';
}

/** The content of `config.json`. Times are in the unit of their suffix. */
export interface OkaConfig {
  readonly limits: Readonly<Record<string, number>>;
  /** What all runs of a day may spend on models together. */
  readonly dailyLimits: Readonly<Record<string, number>>;
  /** What all runs of one conversation may spend on models together. */
  readonly conversationLimits: Readonly<Record<string, number>>;
  /** Prices by `provider/model`, wherever such a model is named. User file only. */
  readonly prices: Readonly<Record<string, ModelPriceConfig>>;
  readonly rateLimits: Readonly<Record<string, { readonly calls: number; readonly intervalMs: number }>>;
  readonly hooks: readonly {
    readonly on: 'before_run' | 'after_run' | 'before_node' | 'after_node' | 'on_error';
    readonly command: readonly string[];
    readonly timeoutMs: number;
    readonly onFailure: 'ignore' | 'fail';
    /** What the hook may reach; `off` only in the user's file. */
    readonly sandbox?: SandboxAccessConfig | 'off';
  }[];
  readonly approvalExpiresMs: number;
  /** Models by the names that graphs and agents use. */
  readonly models: Readonly<Record<string, ModelConfig>>;
  /** Models of the project that are ignored, because the user has a model of that name. */
  readonly shadowedModels?: readonly string[];
  /** The model to use if none is named. Default: the first one. */
  readonly defaultModel: string | undefined;
  /** Whether programs need a sandbox: `required` runs none without one. */
  readonly sandbox: 'auto' | 'required' | 'off';
  /** Whether files that came with a repository are trusted. Only in the user's file. */
  readonly trustWorkspaceText: boolean;
  /** Folders that sandboxed programs can read besides the system and the workspace. User file only. */
  readonly sandboxRead: readonly string[];
  /** Limits on what a program may use. User file only. */
  readonly sandboxLimits: SandboxLimitsConfig;
  /** Private addresses, as `host:port`, that tools may fetch from. User file only. */
  readonly allowPrivate: readonly string[];
  /** Hosts that every run may contact without a question, as a goal names them. User file only. */
  readonly allowHosts: readonly string[];
  /** Custom package sources. User file only. */
  readonly installs: {
    readonly npmRegistry?: string;
    readonly pipIndex?: string;
    readonly wheelFolder?: string;
  };
  /**
   * The PostgreSQL server of the ledger, and a second folder for its signed heads. User file only; the password is in the
   * environment (PGPASSWORD) or a password file.
   */
  readonly ledger?: { readonly url?: string; readonly schema?: string; readonly heads?: string };
  /** The replication target. User file only; secrets are named, never written there. */
  readonly replication?: ReplicationConfig;
  /** Traces, metrics and logs for observers. User file only. */
  readonly telemetry?: TelemetryConfig;
  /** A model whose embeddings memory uses instead of its own. User file only. */
  readonly embedder?: { readonly model: string; readonly dimensions: number };
  /** The port of the daemon's web server. Default: a free one. User file only. */
  readonly webPort?: number;
  /** Where runs are executed. Backend, addresses and token in the user file only. */
  readonly execution: ExecutionConfig;
  /** Limits of mention chains, and how long messages are visible. */
  readonly chat: ChatConfig;
  /** Syncs every commit to disk, not only effects and acknowledged writes. */
  readonly alwaysSync: boolean;
  /** How long maintenance keeps finished runs and episodes. */
  readonly retention: RetentionConfig;
}

export const DEFAULT_CONFIG: OkaConfig = {
  limits: {},
  dailyLimits: {},
  conversationLimits: {},
  prices: {},
  rateLimits: {},
  hooks: [],
  approvalExpiresMs: 86_400_000,
  models: {},
  defaultModel: undefined,
  sandbox: 'auto',
  trustWorkspaceText: true,
  sandboxRead: [],
  sandboxLimits: {},
  allowPrivate: [],
  allowHosts: [],
  installs: {},
  execution: { backend: 'local', ingress: 'http://127.0.0.1:8080', admin: 'http://127.0.0.1:9070' },
  chat: {},
  alwaysSync: false,
  retention: {},
};

/** The part of a JSON Schema that names are read from. */
export interface NameSchema {
  readonly properties?: Readonly<Record<string, NameSchema>>;
  readonly additionalProperties?: NameSchema | boolean;
  readonly anyOf?: readonly NameSchema[];
  readonly oneOf?: readonly NameSchema[];
}

export type ConfigErrorCode =
  | 'config.not_trusted'
  | 'config.trust_changed'
  | 'config.no_workspace'
  | 'config.no_folder'
  | 'config.link_refused'
  | 'config.unwritable'
  | 'config.unreadable'
  | 'config.malformed'
  | 'config.invalid';
