// Owns: opening the services of one workspace, each on first use, and only if the user trusts it. Does not own: what they do.
import { join } from 'node:path';
import { processOwners } from '../../adapters/processes/index.ts';
import type { TelemetryExport } from '../../adapters/telemetry-export/index.ts';
import {
  InstructionVersions,
  SigningKey,
  UserFolder,
  WorkspaceFolder,
} from '../../adapters/workspace/index.ts';
import {
  activeTelemetry,
  machineEnvironment,
  type OkaConfig,
  providerEnvironment,
} from '../../config/index.ts';
import type {
  ContentOrigins,
  Engine,
  ExecutionBackend,
  Owners,
  ReleaseOptions,
  Tool,
} from '../../engine/index.ts';
import {
  BACKGROUND_WARNING,
  type Clock,
  createRedactor,
  currentOperation,
  OkaError,
  type Random,
  type Redactor,
  sortableIds,
  systemClock,
  systemRandom,
  type Warn,
  type Warning,
} from '../../kernel/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { Embedder } from '../../retrieval/index.ts';
import type { GraphRunner, ReminderService } from '../../tools/index.ts';
import type { ModelSources } from '../agents/agent-models.ts';
import type { Agents } from '../agents/agents.ts';
import type { Skills } from '../agents/skills.ts';
import { closeTree } from '../context/open-trees.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ConfiguredServers } from '../mcp/mcp-servers.ts';
import type { PackExtras } from '../memory/context-pack.ts';
import { answerTree } from '../runs/answer-tree.ts';
import type { TaskGraphFile } from '../runs/task-graph-file.ts';
import { watchTree } from '../runs/watch-tree.ts';
import type { ActingItem } from '../trust/acting-items.ts';
import { LiveHooks, LiveTools } from '../trust/live-config.ts';
import { WorkspaceTrust } from '../trust/workspace-trust.ts';
import type { UserVault } from '../vault/user-vault.ts';
import type { VaultFace } from '../vault/vault.ts';
import { TextListeners } from './text-listeners.ts';
import { WorkspaceLedger } from './workspace-ledger.ts';
import {
  type ContextExtras,
  type ContextPacks,
  toDriveOptions,
  type WorkspaceServices,
} from './workspace-services.ts';

declare const __OKA_VERSION__: string;

const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?)$/i;

export interface OpenWorkspaceOptions {
  readonly workspace: string;
  /** The user's Oka folder, which holds trust and grants. */
  readonly home: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly owners?: Owners;
  readonly wrapEvents?: (store: EventStore) => EventStore;
  /** Called with what a person should know of, such as repairs, missing events and what does not act without approval. */
  readonly onWarning?: (warning: Warning) => void;
  /** Why only what this machine knows of a ledger on a server is opened. */
  readonly away?: string;
  /** More sources of context packs. */
  readonly packExtras?: () => PackExtras;
  /** Synthesis policies and orderings, next to the built-in ones. */
  readonly context?: ContextExtras;
  /** Resolves the graphs that runs start. */
  readonly graphs: () => Promise<GraphRunner & { readonly schedules: ReminderService }>;
}

export class OpenWorkspace implements WorkspaceServices {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  readonly trust: WorkspaceTrust;
  readonly hooks: LiveHooks;
  readonly liveTools: LiveTools;
  readonly home: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids;
  readonly owners: Owners;
  readonly redactor: Redactor = createRedactor({ tagKey: () => this.#tagKey() });
  readonly graphs: () => Promise<GraphRunner & { readonly schedules: ReminderService }>;
  readonly contextExtras: ContextExtras;
  embedder?: Embedder;
  readonly #options: OpenWorkspaceOptions;
  readonly #ledger: WorkspaceLedger;
  readonly #text = new TextListeners(this.redactor);
  #engine: Promise<Engine> | undefined;
  #mcp: Promise<ConfiguredServers> | undefined;
  #vault: Promise<VaultFace> | undefined;
  #userVault: Promise<UserVault> | undefined;
  #skills: Promise<Skills> | undefined;
  #agents: Promise<Agents> | undefined;
  #packs: Promise<ContextPacks> | undefined;
  #tasks: TaskGraphFile | undefined;
  #telemetry: Promise<TelemetryExport | undefined> | undefined;

  constructor(options: OpenWorkspaceOptions) {
    this.#options = options;
    this.home = options.home;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? systemRandom;
    this.ids = sortableIds(this.clock, this.random);
    this.owners = options.owners ?? processOwners();
    this.graphs = options.graphs;
    this.contextExtras = options.context ?? {};
    this.folder = new WorkspaceFolder(options.workspace);
    this.user = new UserFolder(options.home);
    this.trust = new WorkspaceTrust({
      folder: this.folder,
      user: this.user,
      clock: this.clock,
      readItems: this.readActingItems,
      onWithheld: (what) => this.warn(what, { code: 'config.withheld' }),
      warn: (what) => this.warn(what),
    });
    this.hooks = new LiveHooks({ trust: this.trust, config: () => this.config() });
    this.liveTools = new LiveTools({
      version: async () => `${this.trust.version} ${(await this.mcp()).version}`,
      tools: () => this.moreTools(),
    });
    const { folder, user, home, clock, random, owners, redactor, requireWorkspace, warn } = this;
    this.#ledger = new WorkspaceLedger({
      ...{ folder, user, home, clock, random, owners, redactor, requireWorkspace, warn },
      onErased: (events) => this.afterErasure(events),
      away: options.away,
      ...(options.wrapEvents ? { wrapEvents: options.wrapEvents } : {}),
    });
  }

  /** Without a home that can be written, tags are valid in this process only. */
  #tagKey(): string {
    try {
      return new SigningKey(this.home).derive('tags of redaction marks');
    } catch {
      return this.random.hex(16);
    }
  }

  /** Tells the call that works now, and the process. */
  warn: Warn = (text, about) => {
    const warning = { code: BACKGROUND_WARNING, ...about, message: this.redactor.text(text) };
    currentOperation()?.warn?.(warning);
    this.#options.onWarning?.(warning);
  };

  requireWorkspace = (): WorkspaceFolder => {
    this.folder.requireFolder();
    this.folder.refuseLinks();
    if (this.folder.exists) return this.folder;
    throw new OkaError(
      'config.no_workspace',
      `there is no Oka workspace in ${this.folder.workspace}; make one with: oka init --trust.`,
      { data: { folder: this.folder.workspace } },
    );
  };

  isTrusted = (): boolean => this.trust.isTrusted();

  /** Everything of the workspace that acts, approved or not. */
  readActingItems = async (): Promise<readonly ActingItem[]> => {
    const { readActingItems } = await import('../trust/read-acting-items.ts');
    const { filesOf } = this.trust;
    const schedules = () => this.ledger().schedules.list();
    return readActingItems({ folder: this.folder, home: this.home, filesOf, schedules });
  };

  requireTrust = (): void => {
    this.folder.requireFolder();
    this.folder.refuseLinks();
    if (this.isTrusted()) return;
    throw new OkaError(
      'config.not_trusted',
      `${this.folder.workspace} is not trusted yet, so nothing in it may act. If you trust it, run: oka init --trust.`,
      { data: { workspace: this.folder.workspace } },
    );
  };

  /** Whether the ledger is on a server instead of in the workspace. */
  isOnServer = (): boolean => this.#ledger.isOnServer;

  ledger = (alwaysSync = false): OpenLedger => this.#ledger.read(alwaysSync);
  ledgerCopy = (): OpenLedger => this.#ledger.copy();

  /** The ledger for writing, trusted or not: for `init` and `ledger rebuild`. */
  openForWriting = (): Promise<OpenLedger> => this.#ledger.write();

  writable = async (): Promise<OpenLedger> => {
    this.requireTrust();
    return this.#ledger.write(!this.#ledger.isWritable && (await this.config()).alwaysSync);
  };

  writableRedacted = async (): Promise<OpenLedger> => {
    const ledger = await this.writable();
    await this.primeRedactor();
    return ledger;
  };

  config = async (): Promise<OkaConfig> => {
    const { loadWorkspaceConfig } = await import('./workspace-config.ts');
    await this.trust.ready();
    const { filterConfig: filterProject } = this.trust;
    const project = this.isTrusted() ? { project: this.folder.config, filterProject } : {};
    return loadWorkspaceConfig({ user: join(this.home, 'config.json'), ...project }, this);
  };

  telemetry: WorkspaceServices['telemetry'] = (options) => {
    this.#telemetry ??= this.#openTelemetry(options).catch((error: unknown) => {
      // A configuration that cannot be read may be repaired while a daemon runs.
      this.#telemetry = undefined;
      throw error;
    });
    return this.#telemetry;
  };

  async #openTelemetry(options?: { readonly timeoutMs?: number }): Promise<TelemetryExport | undefined> {
    const active = activeTelemetry((await this.config()).telemetry);
    if (active === undefined) return undefined;
    const { openWorkspaceTelemetry } = await import('../process/telemetry.ts');
    return openWorkspaceTelemetry(this, active, options);
  }

  content = async (): Promise<ContentOrigins> => {
    const { contentOrigins } = await import('./content-origins.ts');
    const { workspace } = this.folder;
    const { trustWorkspaceText } = await this.config();
    return contentOrigins({ workspace, ledger: this.ledger, trustWorkspaceText });
  };

  policy = async () => {
    const { loadPolicy } = await import('../policy/policies.ts');
    return loadPolicy({ workspaceFolder: this.folder.workspace, home: this.home, trusted: this.isTrusted() });
  };

  secret: WorkspaceServices['secret'] = async (name, use) => {
    const ledger = await this.#writableVault();
    return (await this.vault()).provider(ledger).resolve(name, use);
  };

  /** The vault works even if config.json is invalid. */
  readonly #writableVault = async (): Promise<OpenLedger> => {
    this.requireTrust();
    return this.#ledger.write();
  };

  primeRedactor = async (): Promise<void> => {
    for (const [name, value] of Object.entries(machineEnvironment()))
      if (value !== undefined && SECRET_NAME.test(name)) this.redactor.addSecret(name, value);
    for (const problem of await (await this.userVault()).primeRedactor(this.redactor)) this.warn(problem);
    if (!this.folder.hasVault) return;
    const { problems } = await (await this.vault()).provider(this.ledger()).primeRedactor(this.redactor);
    for (const problem of problems) this.warn(problem);
  };

  moreTools = async (): Promise<readonly Tool[]> => (this.isTrusted() ? (await this.mcp()).tools() : []);

  tools = async (): Promise<readonly Tool[]> => {
    const { allTools } = await import('./all-tools.ts');
    return allTools(await this.moreTools());
  };

  mcp = (): Promise<ConfiguredServers> => {
    this.#mcp ??= (async () => {
      const { ConfiguredServers } = await import('../mcp/mcp-servers.ts');
      await this.trust.ready();
      const { home, clock, requireTrust, redactor, secret, trust } = this;
      return new ConfiguredServers({
        ...{ home, clock, requireTrust, redactor, secret, trust },
        workspace: this.folder.workspace,
        version: __OKA_VERSION__,
        environment: providerEnvironment().get,
        startProgram: async (program, run) => {
          const { definedPrograms } = await import('../process/open-processes.ts');
          return definedPrograms(this, await this.config()).server(program, run);
        },
      });
    })();
    return this.#mcp;
  };

  vault = (): Promise<VaultFace> => {
    this.#vault ??= import('../vault/vault.ts').then(({ VaultFace }) => {
      const { home, clock, ids, redactor, ledger } = this;
      const { directory } = this.folder;
      return new VaultFace({ directory, home, clock, ids, redactor, ledger, writable: this.#writableVault });
    });
    return this.#vault;
  };

  userVault = (): Promise<UserVault> => {
    this.#userVault ??= import('../vault/user-vault.ts').then(({ UserVault }) => new UserVault(this));
    return this.#userVault;
  };

  skills = (): Promise<Skills> => {
    this.#skills ??= import('../agents/skills.ts').then(
      ({ Skills }) =>
        new Skills({
          workspace: this.folder.workspace,
          home: this.home,
          trusted: this.isTrusted,
          content: this.content,
        }),
    );
    return this.#skills;
  };

  agents = (): Promise<Agents> => {
    this.#agents ??= import('../agents/agents.ts').then(
      ({ Agents }) =>
        new Agents({
          workspace: this.folder.workspace,
          requireTrust: this.requireTrust,
          mayReplace: this.trust.mayReplace,
          content: this.content,
          owners: this.owners,
          toolNames: async () => (await this.tools()).map(({ name }) => name),
          modelName: async (name) => (await this.models()).nameOf(name),
          checkModel: async (model) => (await this.models()).checkModel(model),
        }),
    );
    return this.#agents;
  };

  models = async () => {
    const { AgentModelDirectory } = await import('../agents/agent-models.ts');
    const { models, defaultModel, prices } = await this.config();
    const sources = await this.modelSources();
    const options = { ...sources, models, defaultModel, prices, refuse: this.trust.refuseModel };
    return new AgentModelDirectory(options, async (agent) => (await this.agents()).load(agent));
  };

  modelSources = async (): Promise<ModelSources> => {
    const { clock, random, redactor } = this;
    return {
      ...{ clock, random, redactor },
      folder: this.folder.workspace,
      environment: providerEnvironment(),
      // A model of the user takes the user's own key; a project's model only one of the workspace.
      secret: async (name, use) => {
        const own = use.from === 'user' ? await (await this.userVault()).resolve(name, use) : undefined;
        if (own !== undefined || (use.from === 'user' && !this.#hasUsableVault)) return own;
        return this.secret(name, use);
      },
      hasSecret: async (name) =>
        (await (await this.userVault()).has(name)) ||
        (this.folder.exists &&
          (await (await this.vault()).list()).credentials.some(
            (credential) => credential.name === name && credential.status === 'active',
          )),
    };
  };

  get #hasUsableVault(): boolean {
    return this.folder.hasVault && this.isTrusted();
  }

  agentRuns = async () => {
    const { AgentRuns, recallConversation } = await import('./run-parts.ts');
    const { clock, ledger } = this;
    return new AgentRuns({
      load: async (agent) => (await this.agents()).load(agent),
      defaultModel: async () => (await this.config()).defaultModel,
      instructions: async () => (await this.agents()).instructions(),
      untrustedBrief: async (agent) => (await this.agents()).untrustedBrief(agent),
      skills: async () => (await this.skills()).catalogue(),
      pack: async (about) => (await this.packs()).build(about),
      conversation: (vars) => recallConversation(vars, { ledger, clock }),
    });
  };

  packs = (): Promise<ContextPacks> => {
    this.#packs ??= this.chooseEmbedder()
      .then(() => import('../memory/context-pack.ts'))
      .then(({ contextPacks }) => contextPacks(this, this.#options.packExtras?.()));
    return this.#packs;
  };

  /** Loads the configured embedder. Called before memory is opened. */
  async chooseEmbedder(): Promise<void> {
    const { embedder } = await this.config();
    if (embedder === undefined || this.embedder !== undefined) return;
    const { configuredEmbedder } = await import('../memory/configured-embedder.ts');
    const models = await this.models();
    this.embedder = configuredEmbedder(embedder, (model) => models.find(model));
  }

  readonly nodes: WorkspaceServices['nodes'] = {
    versionsOf: async (paths) => {
      const { treeOf } = await import('../context/context.ts');
      return treeOf(this).versionsOf(paths);
    },
  };

  reading = async (): Promise<Engine> => {
    if (this.#engine !== undefined) return this.#engine;
    const { openReadingEngine } = await import('./open-reading-engine.ts');
    return openReadingEngine(this);
  };

  acting = async (): Promise<Engine> => {
    this.requireTrust();
    this.#engine ??= this.#openEngine();
    await this.hooks.refresh();
    const engine = await this.#engine;
    await this.liveTools.refresh(engine);
    return engine;
  };

  backend = async (): Promise<ExecutionBackend> => {
    const { executionBackend } = await import('../cluster/execution-backend.ts');
    return executionBackend(this);
  };

  async #openEngine(): Promise<Engine> {
    this.#noticeInstructions();
    const ledger = await this.writableRedacted();
    const { openEngine } = await import('./open-engine.ts');
    await this.chooseEmbedder();
    const { followTasks } = await import('../runs/task-graph-file.ts');
    this.#tasks = await followTasks({
      directory: this.folder.directory,
      events: ledger.events,
      runs: ledger.runs,
      onWarning: this.warn,
      onRepaired: (what) => this.warn(what, { code: 'ledger.repaired' }),
    });
    return openEngine(this, this.#liveText());
  }

  /** Texts that instruct agents need no approval, because policy judges each action; a change is worth one line. */
  #noticeInstructions(): void {
    try {
      const changes = new InstructionVersions(this.home, this.folder.identity().path).changes();
      if (changes.length === 0) return;
      const more = changes.length > 3 ? ` and ${changes.length - 3} more` : '';
      this.warn(`changed since the last run: ${changes.slice(0, 3).join(', ')}${more}`);
    } catch (error) {
      this.warn(`changes of instructions are not noticed: ${(error as Error).message}`);
    }
  }

  /** An engine whose effects stay in this process, and the files as it would leave them. */
  async openDryRun() {
    this.requireTrust();
    this.ledger((await this.config()).alwaysSync);
    await this.primeRedactor();
    const { openDryRun } = await import('./open-engine.ts');
    return openDryRun(this, this.#text);
  }

  answer: WorkspaceServices['answer'] = (run) => {
    const { events, runs } = this.ledger();
    return answerTree(run, { events, runs, owners: this.owners });
  };

  watching: WorkspaceServices['watching'] = (listeners, run, work) => {
    const { store, runs } = this.ledger();
    return watchTree({ events: store, runs, text: this.#liveText() }, listeners, run, work);
  };

  listen: WorkspaceServices['listen'] = (onText) =>
    this.#liveText().add((text, run) => onText({ run, text }));

  listenToActivity: WorkspaceServices['listenToActivity'] = (onActivity) =>
    this.#liveText().addActivity(onActivity, () => true);

  /** The text of models, also from other processes where the ledger is on a server. */
  #liveText(): TextListeners {
    const { shared } = this.ledger();
    if (shared !== undefined) this.#text.connect(shared.live);
    return this.#text;
  }

  start: WorkspaceServices['start'] = async (request, options) => {
    if (options.simulate) return this.simulate(async () => request, options);
    // Opens the ledger for writing before its events are watched.
    await this.acting();
    const backend = await this.backend();
    const id = request.id ?? this.ids.next();
    return this.watching(options, id, async () =>
      this.answer(await backend.start({ ...request, id }, toDriveOptions(options))),
    );
  };

  simulate: WorkspaceServices['simulate'] = async (prepare, watching) => {
    const { simulateRun } = await import('../runs/simulations.ts');
    return simulateRun(this, prepare, { ...watching, text: this.#text });
  };

  afterErasure: WorkspaceServices['afterErasure'] = async (events) => {
    const { Maintenance } = await import('../maintenance/maintenance.ts');
    await new Maintenance(this).afterErasure(events);
  };

  /** From now on, a server that is away is not waited for. */
  stopWaiting(): void {
    this.#ledger.stopWaiting();
  }

  /** Stops driving runs at their next boundary. */
  async release(options?: ReleaseOptions): Promise<void> {
    // The caller that opened an engine has already received its error.
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close(options);
  }

  async close(): Promise<void> {
    this.#ledger.warnOfMirror();
    await this.#ledger.finishErasure();
    await this.release();
    await this.#tasks?.close();
    // A configuration that cannot be read was reported by what needs it.
    await (await this.#telemetry?.catch(() => undefined))?.close();
    this.#telemetry = undefined;
    closeTree(this.folder);
    await (await this.#mcp)?.close();
    (await this.#vault)?.close();
    await (await this.#userVault)?.close();
    this.#userVault = undefined;
    await this.#ledger.close();
    this.#engine = undefined;
    this.#tasks = undefined;
  }
}
