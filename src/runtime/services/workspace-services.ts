// Owns: the contract of the services of one workspace. Every part of the runtime takes what it needs of it. Does not own: how
// and when they are opened (open-workspace.ts).
import type { TelemetryExport } from '../../adapters/telemetry-export/index.ts';
import type { UserFolder, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { AgentRuns } from '../../agent/index.ts';
import type { EventView, RunActivity, RunAnswer } from '../../api/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import type { ContextParts } from '../../context/index.ts';
import type {
  ContentOrigins,
  CredentialUse,
  DriveOptions,
  Engine,
  ExecutionBackend,
  Owners,
  Policy,
  RunRequest,
  RunState,
  Tool,
} from '../../engine/index.ts';
import type { Clock, Ids, Random, Redactor, Warn } from '../../kernel/index.ts';
import type { EventAddress } from '../../ledger/index.ts';
import type { ContextPack, NodeVersions, PackRequest, ReadPackText } from '../../memory/index.ts';
import type { Embedder } from '../../retrieval/index.ts';
import type { GraphRunner, ReminderService } from '../../tools/index.ts';
import type { AgentModelDirectory, ModelSources } from '../agents/agent-models.ts';
import type { Agents } from '../agents/agents.ts';
import type { Skills } from '../agents/skills.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ConfiguredServers } from '../mcp/mcp-servers.ts';
import type { ActingItem } from '../trust/acting-items.ts';
import type { LiveHooks, LiveTools } from '../trust/live-config.ts';
import type { WorkspaceTrust } from '../trust/workspace-trust.ts';
import type { UserVault } from '../vault/user-vault.ts';
import type { VaultFace } from '../vault/vault.ts';

/** What an embedding program adds to the context: synthesis policies, and orderings of compositions by name. */
export type ContextExtras = Partial<Pick<ContextParts, 'policies' | 'orderings'>>;

export interface WorkspaceServices {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  /** The user's Oka folder, which holds trust and grants. */
  readonly home: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly owners: Owners;
  /** One per process: it replaces every secret it knows. */
  readonly redactor: Redactor;
  /** The configured embedder; set by `chooseEmbedder`. */
  readonly embedder?: Embedder;
  /** Synthesis policies and orderings of the embedding program. */
  readonly contextExtras?: ContextExtras;
  /** The current versions of workspace nodes. */
  readonly nodes: NodeVersions;

  /** What the user trusts of this workspace. */
  readonly trust: WorkspaceTrust;
  /** Everything of the workspace that acts, approved or not. */
  readonly readActingItems: () => Promise<readonly ActingItem[]>;
  /** The hooks of the current configuration. */
  readonly hooks: LiveHooks;
  readonly isTrusted: () => boolean;
  /** Throws `config.not_trusted` unless the user trusts the workspace. */
  readonly requireTrust: () => void;
  /** Throws `config.no_workspace` if the folder is no workspace. */
  readonly requireWorkspace: () => WorkspaceFolder;

  /** The ledger for reading; works on a read-only disk. */
  readonly ledger: () => OpenLedger;
  /** A ledger for reading whose database may be changed, such as by a search that builds its index. */
  readonly ledgerCopy: () => OpenLedger;
  /** The ledger for writing. Requires trust. */
  readonly writable: () => Promise<OpenLedger>;
  /** The ledger for writing, once the redactor knows the secrets of the vault. Requires trust. */
  readonly writableRedacted: () => Promise<OpenLedger>;

  /** The effective configuration; the workspace's own part counts only if the user trusts it. */
  readonly config: () => Promise<OkaConfig>;
  /** Traces and metrics of this process; undefined if they are off. The first call decides how long a request may take. */
  readonly telemetry: (options?: { readonly timeoutMs?: number }) => Promise<TelemetryExport | undefined>;
  /** The effective policy. It follows changes of its files. */
  readonly policy: () => Promise<Policy>;
  /** The value of a credential in the vault. Its use is recorded, so it requires trust. */
  readonly secret: (name: string, use: CredentialUse) => Promise<string | undefined>;
  /** Adds the keys of the environment and all values of the vault to the redactor. */
  readonly primeRedactor: () => Promise<void>;

  /** What is known about the origin of content. */
  readonly content: () => Promise<ContentOrigins>;
  /** Every tool that runs can call. */
  readonly tools: () => Promise<readonly Tool[]>;
  /** The tools of MCP servers, as far as the user allows them. Starts no server. */
  readonly moreTools: () => Promise<readonly Tool[]>;
  readonly liveTools: LiveTools;
  readonly models: () => Promise<AgentModelDirectory>;
  /** What is needed to call models, whether they are configured or not. */
  readonly modelSources: () => Promise<ModelSources>;
  /** The keys that hold for all workspaces of the user. */
  readonly userVault: () => Promise<UserVault>;
  readonly agents: () => Promise<Agents>;
  readonly agentRuns: () => Promise<AgentRuns>;
  readonly skills: () => Promise<Skills>;
  readonly mcp: () => Promise<ConfiguredServers>;
  readonly vault: () => Promise<VaultFace>;
  readonly graphs: () => Promise<GraphRunner & { readonly schedules: ReminderService }>;
  readonly packs: () => Promise<ContextPacks>;

  /** An engine that loads and explains runs. It reads nothing of the workspace's configuration. */
  readonly reading: () => Promise<Engine>;
  /** An engine that acts. Requires trust. */
  readonly acting: () => Promise<Engine>;
  /** Executes runs: in this process, or on the configured cluster. */
  readonly backend: () => Promise<ExecutionBackend>;
  /** Starts a run and drives it until it ends or waits, or simulates it. */
  readonly start: (
    request: RunRequest,
    options: WatchOptions & { readonly simulate?: boolean },
  ) => Promise<RunAnswer>;
  readonly simulate: (
    prepare: (engine: Engine) => Promise<RunRequest>,
    options: WatchOptions,
  ) => Promise<RunAnswer>;
  /** A run as it is shown, with the artifacts and the blockers of its descendants. */
  readonly answer: (run: RunState) => Promise<RunAnswer>;
  /** Reports events, model text and activities of the run's tree while `work` runs. Limited to what this process executes. */
  readonly watching: <T>(
    listeners: Pick<WatchOptions, 'onEvent' | 'onText' | 'onActivity'>,
    run: string,
    work: () => Promise<T>,
  ) => Promise<T>;
  /** Reports the text of models per run, without secrets. Returns a function that stops it. */
  readonly listen: (onText: (piece: { readonly run: string; readonly text: string }) => void) => () => void;
  /** As `listen`, for what runs do right now. */
  readonly listenToActivity: (onActivity: (activity: RunActivity) => void) => () => void;

  /** Removes erased content from what was derived of it. */
  readonly afterErasure: (events: readonly EventAddress[]) => Promise<void>;
  /** Reports a problem that needs no action now. */
  readonly warn: Warn;
}

/** How to follow a run. */
export interface WatchOptions {
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: EventView) => void) | undefined;
  readonly onText?: ((text: string) => void) | undefined;
  readonly onActivity?: ((activity: RunActivity) => void) | undefined;
}

/** The part of a request that says how long to drive a run. */
export function toDriveOptions({ patienceMs, signal }: WatchOptions): DriveOptions {
  return {
    ...(patienceMs === undefined ? {} : { patienceMs }),
    ...(signal === undefined ? {} : { signal, pausesOnAbort: true }),
  };
}

/** The context packs of one workspace. */
export interface ContextPacks {
  build(request: Omit<PackRequest, 'limit'>): Promise<ContextPack>;
  /** Reads the text of a recorded item by its id. */
  readonly read: ReadPackText;
}
