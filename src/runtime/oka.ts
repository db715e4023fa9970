import { join } from 'node:path';
import type { ServerCheck } from '../adapters/postgres/index.ts';
import { ProcessRecord } from '../adapters/processes/index.ts';
import { GraphFiles, SignedHeads } from '../adapters/workspace/index.ts';
import type {
  DoctorAnswer,
  DoRequest,
  InitAnswer,
  OkaApi,
  OverviewAnswer,
  RunAnswer,
  WorkersAnswer,
} from '../api/index.ts';
import type { BackendHealth, ReleaseOptions } from '../engine/index.ts';
import { explainSystemError, isOkaError, OkaError } from '../kernel/index.ts';
import type { PackSource } from '../memory/index.ts';
import type { Chat } from './chat/chat.ts';
import type { ServedProject } from './cluster/served-project.ts';
import type { Graphs } from './graphs/graphs.ts';
import { ledgerApi } from './ledger/ledger-api.ts';
import type { LedgerFeed } from './ledger/ledger-feed.ts';
import type { OpenLedger } from './ledger/open-ledger.ts';
import type { ProcessLease } from './process/process-lease.ts';
import type { ServedTelemetry } from './process/telemetry.ts';
import { approvalsApi } from './runs/approvals-api.ts';
import { runsApi } from './runs/runs-api.ts';
import { lazily } from './services/lazily.ts';
import { OpenWorkspace, type OpenWorkspaceOptions } from './services/open-workspace.ts';
import { withResolvedIds } from './services/resolve-ids.ts';

declare const __OKA_VERSION__: string;

export type OkaOptions = Omit<OpenWorkspaceOptions, 'graphs' | 'packExtras'>;

/** Oka on one workspace, in this process. Opens only what a call needs. */
export class Oka implements OkaApi {
  readonly #services: OpenWorkspace;
  readonly runs: OkaApi['runs'];
  readonly approvals: OkaApi['approvals'];
  readonly ledger: OkaApi['ledger'];
  #graphs: Promise<Graphs> | undefined;
  #chat: Promise<Chat> | undefined;

  constructor(options: OkaOptions) {
    const services: OpenWorkspace = new OpenWorkspace({
      ...options,
      graphs: () => this.#loadGraphs(),
      packExtras: () => ({
        policy: this.policy,
        sources: [procedurePackSource(services), framePackSource(services)],
      }),
    });
    this.#services = services;
    this.runs = this.#resolving(
      'runs',
      runsApi(services, async (run) =>
        run.kind === 'graph' ? (await this.#loadGraphs()).current(run) : undefined,
      ),
    );
    this.approvals = this.#resolving('approvals', approvalsApi(services));
    this.ledger = this.#resolving('ledger', ledgerApi(services));
  }

  async init(request: { readonly trust: boolean }): Promise<InitAnswer> {
    const { folder, user } = this.#services;
    const { workspace } = folder;
    const created = folder.create();
    // The person begins a new ledger where an earlier one was deleted with its whole folder.
    if (created) new SignedHeads(this.#services).forgetPath();
    const told = request.trust ? await this.#trust() : {};
    // Without trust, the ledger is neither opened nor created: a ledger from before the trust counts as a stranger's.
    if (user.isTrusted(folder)) await this.#services.openForWriting();
    return { workspace, created, trusted: user.isTrusted(folder), ...told };
  }

  async #trust(): Promise<{ readonly notice?: string }> {
    const { trustWorkspace } = await import('./trust/trust-workspace.ts');
    return trustWorkspace(this.#services, await this.#services.readActingItems());
  }

  async do(request: DoRequest): Promise<RunAnswer> {
    const { pursueGoal } = await import('./runs/pursue-goal.ts');
    const { assistantProcedures } = await import('./memory/procedures.ts');
    return pursueGoal(this.#services, request, assistantProcedures(this.#services));
  }

  async overview(): Promise<OverviewAnswer> {
    const { readOverview } = await import('./process/overview.ts');
    return readOverview(this.#services);
  }

  async workers(): Promise<WorkersAnswer> {
    try {
      return { workers: await (await this.#services.backend()).workers() };
    } catch (error) {
      if (!isOkaError(error)) throw error;
      return { workers: [], problem: error.toJSON() };
    }
  }

  /** Accepts parts of ids, `last` and `@2` where the operations of this area take an id. */
  #resolving<Api extends object>(area: string, api: Api): Api {
    return withResolvedIds(area, api, {
      isTrusted: () => this.#services.isTrusted(),
      ledger: () => this.#services.ledger(),
      list: async (kind) =>
        (kind === 'grant' ? await this.grants.list() : await this.graphs.schedules.list()).map(
          ({ id }) => id,
        ),
    });
  }

  readonly graphs = this.#resolving(
    'graphs',
    lazily<OkaApi['graphs']>(() => this.#loadGraphs(), {
      list: async () => {
        const { workspace, directory } = this.#services.folder;
        return (await import('./graphs/list-graphs.ts')).listGraphs(new GraphFiles(workspace, directory));
      },
      // Needs no workspace.
      gallery: async () => (await import('./graphs/gallery.ts')).galleryGraphs(),
      state: this.#resolving(
        'graphs.state',
        lazily(async () => (await this.#loadGraphs()).state),
      ),
      schedules: this.#resolving(
        'graphs.schedules',
        lazily<OkaApi['graphs']['schedules']>(async () => (await this.#loadGraphs()).schedules, {
          list: async () => {
            const { ledger, clock } = this.#services;
            const { listSchedules } = await import('./schedules/list-schedules.ts');
            return listSchedules(ledger().schedules, clock.now());
          },
        }),
      ),
    }),
  );

  readonly chat: OkaApi['chat'] = lazily<OkaApi['chat']>(() => this.#loadChat(), {
    follow: async function* (this: Oka, request: Parameters<OkaApi['chat']['follow']>[0]) {
      yield* (await this.#loadChat()).follow(request);
    }.bind(this),
  });

  readonly tools = lazily<OkaApi['tools']>(async () => {
    const { SingleTools } = await import('./runs/single-tools.ts');
    return new SingleTools(this.#services);
  });
  readonly models = lazily<OkaApi['models']>(async () => {
    const { ModelSetup } = await import('./agents/model-setup.ts');
    return new ModelSetup(this.#services);
  });
  readonly memory = this.#resolving(
    'memory',
    lazily<OkaApi['memory']>(async () => {
      const { openMemory } = await import('./memory/memory.ts');
      await this.#services.chooseEmbedder();
      return openMemory(this.#services);
    }),
  );
  readonly replication = lazily<OkaApi['replication']>(async () => {
    const { Replication } = await import('./replication/replication.ts');
    return new Replication(this.#services);
  });
  readonly backup = lazily<OkaApi['backup']>(async () => {
    const { openBackups } = await import('./backup/backups.ts');
    return openBackups(this.#services);
  });
  readonly evals = this.#resolving(
    'evals',
    lazily<OkaApi['evals']>(async () => {
      const { Evals } = await import('./evals/evals.ts');
      return new Evals({
        services: this.#services,
        library: async () => (await this.#loadGraphs()).library,
        openDryRun: () => this.#services.openDryRun(),
      });
    }),
  );
  readonly memoryPack = lazily<OkaApi['memoryPack']>(async () => {
    const { openContextPack } = await import('./memory/context-pack.ts');
    return openContextPack(this.#services);
  });
  readonly maintenance = lazily<OkaApi['maintenance']>(async () => {
    const { Maintenance } = await import('./maintenance/maintenance.ts');
    const { scoreProcedures } = await import('./memory/procedures.ts');
    return new Maintenance(this.#services, { procedures: scoreProcedures(this.#services) });
  });
  readonly metrics = lazily<OkaApi['metrics']>(async () => {
    const { openMetrics } = await import('./process/metrics.ts');
    return openMetrics(this.#services);
  });
  readonly procedures = lazily<OkaApi['procedures']>(async () => {
    const { openProcedures } = await import('./memory/procedures.ts');
    const { BUILT_IN_PROCEDURES } = await import('../agent/index.ts');
    return openProcedures(this.#services, { builtIn: BUILT_IN_PROCEDURES });
  });
  readonly context = lazily<OkaApi['context']>(async () => {
    const { openContext } = await import('./context/context.ts');
    return openContext(this.#services);
  });
  readonly trust = lazily<OkaApi['trust']>(async () => {
    const { trustApi } = await import('./trust/trust-api.ts');
    return trustApi(this.#services);
  });
  readonly agents = lazily<OkaApi['agents']>(() => this.#services.agents());
  readonly skills = lazily<OkaApi['skills']>(() => this.#services.skills());
  readonly mcp = lazily<OkaApi['mcp']>(() => this.#services.mcp());
  readonly vault = lazily<OkaApi['vault']>(() => this.#services.vault());
  readonly policy = lazily<OkaApi['policy']>(async () => {
    this.#services.folder.requireFolder();
    const { PolicyAnswers } = await import('./policy/policy-answers.ts');
    return new PolicyAnswers(this.#services);
  });
  readonly grants = this.#resolving(
    'grants',
    lazily<OkaApi['grants']>(async () => {
      const { grantsApi } = await import('./policy/grants.ts');
      return grantsApi(this.#services);
    }),
  );
  readonly serving = lazily<OkaApi['serving']>(async () => {
    const { clock, random, folder, requireTrust } = this.#services;
    requireTrust();
    const { Serving } = await import('./mcp/serving.ts');
    return new Serving({ api: this, tokenFile: join(folder.directory, 'run', 'mcp-token'), clock, random });
  });

  async doctor({
    sandbox = false,
    models: asksModels = true,
  }: {
    readonly sandbox?: boolean;
    readonly models?: boolean;
  } = {}): Promise<DoctorAnswer> {
    const { folder, clock, reading, trust, config, models, modelSources } = this.#services;
    const { isTrusted: trusted } = this.#services;
    folder.requireFolder();
    const { ledger, server } = folder.exists ? await this.#reachableLedger() : {};
    const isAway = ledger instanceof OkaError && this.#services.isOnServer();
    const { examineMachine } = await import('./process/examine-machine.ts');
    const { askBriefly } = await import('./agents/model-tests.ts');
    return examineMachine({
      version: __OKA_VERSION__,
      ...{ folder, clock, trust, trusted, ledger, server, config, models },
      cluster: async () => (folder.exists ? this.#clusterHealth() : undefined),
      // Schedules are in the ledger: a server that is away would be waited for.
      withheld: async () => (trusted() && !isAway ? this.#withheld() : []),
      verify: () => this.ledger.verify({ full: false }),
      engine: async () => (trusted() && !(ledger instanceof OkaError) ? reading() : undefined),
      askModel: asksModels
        ? async (name) => askBriefly(await modelSources(), await config(), name)
        : undefined,
      daemon: this.#daemonPid(),
      home: this.#services.home,
      triesEscapes: sandbox,
    });
  }

  /** The names of what the user has not approved. */
  async #withheld(): Promise<readonly string[]> {
    const { trust, readActingItems } = this.#services;
    await trust.ready();
    const { itemName } = await import('./trust/compare-items.ts');
    return (await readActingItems()).filter((item) => !trust.isApproved(item)).map(itemName);
  }

  /** The ledger, or why it cannot be opened. A server is asked once: other commands wait for minutes until it is back. */
  async #reachableLedger(): Promise<{
    readonly ledger: OpenLedger | OkaError;
    readonly server?: ServerCheck | undefined;
  }> {
    try {
      this.#services.requireWorkspace();
      const ledger = this.#services.ledger();
      return { ledger, server: await ledger.shared?.check() };
    } catch (error) {
      const explained = isOkaError(error) ? error : explainSystemError(error);
      if (explained === undefined) throw error;
      return { ledger: explained };
    }
  }

  /** Asks the cluster, if one executes the runs of this workspace. */
  async #clusterHealth(): Promise<(() => Promise<BackendHealth>) | undefined> {
    const { executionConfig } = await import('./cluster/execution-backend.ts');
    const { backend } = await executionConfig(this.#services);
    return backend === 'local' ? undefined : async () => (await this.#services.backend()).health();
  }

  #daemonPid(): number | undefined {
    const found = this.#record('daemon').read();
    return found !== undefined && this.#services.owners.isAlive(found.owner) ? found.pid : undefined;
  }

  #record(name: string): ProcessRecord {
    return new ProcessRecord(join(this.#services.folder.directory, 'run'), name);
  }

  /** The lease of the workspace's daemon, or of an agent's host. Requires trust. */
  async processLease(agent?: string): Promise<ProcessLease> {
    const { owners, clock } = this.#services;
    const { leases } = await this.#services.writable();
    const { ProcessLease, daemonRuns, hostRuns } = await import('./process/process-lease.ts');
    const name = agent === undefined ? 'daemon' : `agent-${agent}`;
    const refusal = agent === undefined ? daemonRuns : hostRuns(agent);
    return new ProcessLease({ name, leases, owners, record: this.#record(name), clock, refusal });
  }

  /** The ledger as a feed for live views. Requires trust. */
  async feed(): Promise<LedgerFeed> {
    const { LedgerFeed } = await import('./ledger/ledger-feed.ts');
    return new LedgerFeed(await this.#services.writable(), this.#services);
  }

  /** This workspace as a project that a worker of the cluster serves. Requires trust. */
  async clusterProject(): Promise<ServedProject> {
    const { openProject } = await import('./cluster/served-project.ts');
    return openProject(this.#services, { chat: () => this.#loadChat(), graphs: () => this.#loadGraphs() });
  }

  /** The port of the web server, if the user has set one. */
  async webPort(): Promise<number | undefined> {
    return (await this.#services.config()).webPort;
  }

  /** Telemetry of a long-lived process. One per workspace, its daemon, also reports the state of the workspace. */
  async serveTelemetry(options: { readonly isDaemon: boolean }): Promise<ServedTelemetry> {
    const { serveTelemetry } = await import('./process/telemetry.ts');
    return serveTelemetry(this.#services, options);
  }

  /** A text without secrets. */
  redact(text: string): string {
    return this.#services.redactor.text(text);
  }

  /** Adds new secrets of the vault to the redactor, for long-lived processes. */
  learnSecrets(): Promise<void> {
    return this.#services.primeRedactor();
  }

  release(options?: ReleaseOptions): Promise<void> {
    this.#services.stopWaiting();
    return this.#services.release(options);
  }

  close(): Promise<void> {
    return this.#services.close();
  }

  #loadGraphs(): Promise<Graphs> {
    this.#graphs ??= import('./graphs/open-graphs.ts').then(({ openGraphs }) => openGraphs(this.#services));
    return this.#graphs;
  }

  #loadChat(): Promise<Chat> {
    this.#chat ??= import('./chat/chat.ts').then(({ Chat }) => new Chat(this.#services));
    return this.#chat;
  }
}

/** Procedures that match a goal, loaded when a pack is built. */
function procedurePackSource(services: OpenWorkspace): PackSource {
  return lazyPackSource('procedures', async () => {
    const { proceduresOn } = await import('./memory/procedures.ts');
    const { procedureSource } = await import('../memory/index.ts');
    return procedureSource(proceduresOn(services, services.ledger()));
  });
}

/** Frames that match a goal, loaded when a pack is built. */
function framePackSource(services: OpenWorkspace): PackSource {
  return lazyPackSource('frames', async () => (await import('./memory/pack-frames.ts')).packFrames(services));
}

function lazyPackSource(name: PackSource['name'], load: () => Promise<PackSource>): PackSource {
  return {
    name,
    candidates: async (request) => (await load()).candidates(request),
    read: async (item) => (await load()).read?.(item),
  };
}
