import { join } from 'node:path';
import { ProcessRecord } from '../adapters/processes/index.ts';
import { GraphFiles } from '../adapters/workspace/index.ts';
import type {
  ApprovalRequest,
  DoctorAnswer,
  DoRequest,
  EventView,
  ExplainAnswer,
  GcAnswer,
  GcRequest,
  InitAnswer,
  LedgerStatsAnswer,
  OkaApi,
  RebuildAnswer,
  RepairAnswer,
  RepairRequest,
  ReplayAnswer,
  ReplayMode,
  ResumeRequest,
  RunAnswer,
  VerifyAnswer,
  VerifyRequest,
} from '../api/index.ts';
import type { Engine, RunState } from '../engine/index.ts';
import { explainSystemError, isOkaError, OkaError, sortableIds } from '../kernel/index.ts';
import { archivedLine, mirrorLine } from '../ledger/index.ts';
import type { PackSource } from '../memory/index.ts';
import type { Chat } from './chat/chat.ts';
import { lazyChat } from './chat/lazy-chat.ts';
import type { Graphs } from './graphs/graphs.ts';
import { lazyGraphs } from './graphs/lazy-graphs.ts';
import type { OpenLedger } from './ledger/open-ledger.ts';
import type { Serving } from './mcp/serving.ts';
import type { PolicyAnswers } from './policy/policy-answers.ts';
import type { ProcessSeat } from './process/process-seat.ts';
import type { SingleTools } from './runs/single-tools.ts';
import { staying } from './runs/staying.ts';
import { withBlocker } from './runs/with-blocker.ts';
import { lazily } from './services/lazily.ts';
import { viewApproval, viewExplanation, viewListItem } from './services/views.ts';
import { Workbench, type WorkbenchOptions } from './services/workbench.ts';

declare const __OKA_VERSION__: string;

/** The procedures that fit a goal, for what agents are told; loaded when somebody is told. */
function knownProcedures(bench: Workbench): PackSource {
  const source = async (): Promise<PackSource> => {
    const { proceduresOn } = await import('./memory/procedures.ts');
    const { procedureSource } = await import('../memory/index.ts');
    return procedureSource(proceduresOn(bench, bench.ledger()));
  };
  return {
    name: 'procedures',
    candidates: async (request) => (await source()).candidates(request),
    read: async (item) => (await source()).read?.(item),
  };
}

/** What was said about the workspace that fits a goal; loaded when somebody is told. */
function knownFrames(bench: Workbench): PackSource {
  const source = async (): Promise<PackSource> => (await import('./memory/pack-frames.ts')).packFrames(bench);
  return {
    name: 'frames',
    candidates: async (request) => (await source()).candidates(request),
    read: async (item) => (await source()).read?.(item),
  };
}

const heavyParts = () => import('./services/heavy-parts.ts');

export type OkaOptions = Omit<WorkbenchOptions, 'graphs' | 'packExtras'>;

/** Oka on one workspace, in this process. Opens only what a call needs. */
export class Oka implements OkaApi {
  readonly #options: OkaOptions;
  readonly #bench: Workbench;
  #graphs: Promise<Graphs> | undefined;
  #chat: Promise<Chat> | undefined;

  constructor(options: OkaOptions) {
    this.#options = options;
    this.#bench = new Workbench({
      ...options,
      graphs: () => this.#loadGraphs(),
      packExtras: () => ({
        policy: this.policy,
        sources: [knownProcedures(this.#bench), knownFrames(this.#bench)],
      }),
    });
  }

  async init(request: { readonly trust: boolean }): Promise<InitAnswer> {
    const created = this.#bench.folder.create();
    if (request.trust) this.#bench.user.trust(this.#bench.folder.workspace);
    await this.#bench.writable();
    return {
      workspace: this.#bench.folder.workspace,
      created,
      trusted: this.#bench.user.isTrusted(this.#bench.folder.workspace),
    };
  }

  async do(request: DoRequest): Promise<RunAnswer> {
    const { pursueGoal } = await import('./runs/pursue-goal.ts');
    const { assistantProcedures } = await import('./memory/procedures.ts');
    return pursueGoal(this.#bench, request, assistantProcedures(this.#bench));
  }

  readonly runs: OkaApi['runs'] = {
    list: async (filter) => {
      const { status, limit } = filter;
      const runs = await this.#bench.ledger().runs.list({
        limit,
        ...(status === undefined ? {} : { status: status as 'running' }),
      });
      if (!filter.full) return runs.map((run) => viewListItem(run, this.#bench.owners));
      const engine = await this.#bench.reading();
      return Promise.all(runs.map(async (run) => this.#bench.answer(await engine.load(run.id)).run));
    },
    show: async (run) =>
      withBlocker(this.#bench, this.#bench.answer(await (await this.#bench.reading()).load(run))),
    explain: (run) => this.#explain(run),
    replay: (run, mode) => this.#replay(run, mode),
    pause: async (run, by) => this.#bench.answer(await (await this.#bench.acting()).pause(run, by)),
    resume: (request) => this.#resume(request),
    signal: async (run, event, payload, by) => {
      const engine = await this.#bench.acting();
      const signalled = await engine.signal(run, event, payload, by);
      if (signalled.owner !== undefined) return this.#bench.answer(signalled);
      return this.#goOn(engine, run, { by, patienceMs: 0 });
    },
    fork: async (run, step, vars, patienceMs) => {
      const engine = await this.#bench.acting();
      await engine.load(run);
      return this.#bench.answer(await engine.resume(await engine.fork(run, step, vars), { patienceMs }));
    },
    cancel: async (run, by, reason) =>
      this.#bench.answer(await (await this.#bench.acting()).cancel(run, by, reason)),
    undo: async (run, by, force) => (await this.#bench.acting()).undo(run, by, { force }),
    correct: async (run, text, by) =>
      this.#bench.answer(await (await this.#bench.acting()).correct(run, text, by)),
    pinDifferences: async (run) => {
      const { isTrusted } = await this.#bench.surroundings();
      return (await (isTrusted() ? this.#bench.acting() : this.#bench.reading())).pinDifferences(run);
    },
  };

  readonly graphs: OkaApi['graphs'] = lazyGraphs(
    () => this.#loadGraphs(),
    async () => (await import('./graphs/list-graphs.ts')).listGraphs(this.#graphFiles()),
  );

  readonly tools = lazily<OkaApi['tools']>(() => this.#singleTools());
  readonly models = lazily<OkaApi['models']>(async () => {
    const { ModelSetup } = await import('./agents/model-setup.ts');
    const { user, clock } = this.#bench;
    return new ModelSetup({ user, clock, config: () => this.#bench.config() });
  });
  readonly memory = lazily<OkaApi['memory']>(async () => {
    const { openMemory } = await import('./memory/memory.ts');
    await this.#bench.chooseEmbedder();
    return openMemory(this.#bench);
  });
  readonly replication = lazily<OkaApi['replication']>(async () => {
    const { Replication } = await import('./replication/replication.ts');
    return new Replication(this.#bench);
  });
  readonly backup = lazily<OkaApi['backup']>(async () => {
    const { openBackups } = await import('./backup/backups.ts');
    return openBackups(this.#bench, this.#options.home);
  });
  readonly memoryPack = lazily<OkaApi['memoryPack']>(async () => {
    const { openContextPack } = await import('./memory/context-pack.ts');
    return openContextPack(this.#bench);
  });
  readonly maintenance = lazily<OkaApi['maintenance']>(async () => {
    const { Maintenance } = await import('./maintenance/maintenance.ts');
    const { scoreProcedures } = await import('./memory/procedures.ts');
    return new Maintenance(this.#bench, { procedures: scoreProcedures(this.#bench) });
  });
  readonly metrics = lazily<OkaApi['metrics']>(async () => {
    const { openMetrics } = await import('./process/metrics.ts');
    return openMetrics(this.#bench);
  });
  readonly procedures = lazily<OkaApi['procedures']>(async () => {
    const { openProcedures } = await import('./memory/procedures.ts');
    const { BUILT_IN_PROCEDURES } = await import('../agent/index.ts');
    return openProcedures(this.#bench, { builtIn: BUILT_IN_PROCEDURES });
  });
  readonly context = lazily<OkaApi['context']>(async () => {
    const { openContext } = await import('./context/context.ts');
    return openContext(this.#bench);
  });
  readonly agents = lazily<OkaApi['agents']>(async () => (await this.#bench.surroundings()).agents());
  readonly skills = lazily<OkaApi['skills']>(async () => (await this.#bench.surroundings()).skills());
  readonly mcp = lazily<OkaApi['mcp']>(async () => (await this.#bench.surroundings()).mcp());
  readonly vault = lazily<OkaApi['vault']>(async () => (await this.#bench.surroundings()).vault());
  readonly policy = lazily<OkaApi['policy']>(() => this.#policyAnswers());
  readonly serving = lazily<OkaApi['serving']>(() => this.#serving());

  readonly approvals: OkaApi['approvals'] = {
    list: async (filter) =>
      (await this.#bench.ledger().runs.approvals(filter as { status?: 'pending' })).map((approval) =>
        viewApproval(approval, this.#bench.clock.now()),
      ),
    show: async (id) => viewApproval(await this.#requireApproval(id), this.#bench.clock.now()),
    approve: (request, patienceMs) => this.#approve(request, patienceMs),
    deny: async (id, by) => {
      const engine = await this.#bench.acting();
      return this.#goOn(engine, await engine.decide(id, { kind: 'deny' }, by), { by });
    },
  };

  readonly ledger: OkaApi['ledger'] = {
    tail: (options) => this.#tail(options),
    verify: (request) => this.#verify(request),
    repair: (request) => this.#repair(request),
    rebuild: (from) => this.#rebuild(from),
    export: () => this.#export(),
    stats: () => this.#stats(),
    gc: (request) => this.#gc(request),
  };

  async doctor(): Promise<DoctorAnswer> {
    const trusted = this.#bench.user.isTrusted(this.#bench.requireWorkspace().workspace);
    const ledger = this.#ledgerOrRefusal();
    const engine = trusted && !(ledger instanceof OkaError) ? await this.#bench.reading() : undefined;
    const { examineMachine } = await heavyParts();
    const surroundings = await this.#bench.surroundings();
    const config = await surroundings.config();
    const models = surroundings.models(config);
    const { folder, clock } = this.#bench;
    return examineMachine({
      version: __OKA_VERSION__,
      folder,
      trusted,
      ledger,
      verify: () => this.#verify({ full: false }),
      engine,
      config,
      models,
      clock,
      daemon: this.#daemon(),
    });
  }

  /** The ledger, or why it cannot be opened. */
  #ledgerOrRefusal(): OpenLedger | OkaError {
    try {
      return this.#bench.ledger();
    } catch (error) {
      const told = isOkaError(error) ? error : explainSystemError(error);
      if (told === undefined) throw error;
      return told;
    }
  }

  readonly chat = lazyChat(() => this.#openChat());

  #openChat(): Promise<Chat> {
    this.#chat ??= import('./chat/open-chat.ts').then(({ openChat }) =>
      openChat(this.#bench, this.#options.home),
    );
    return this.#chat;
  }

  /** The process of the daemon, if one runs. */
  #daemon(): number | undefined {
    const { folder, owners } = this.#bench;
    const found = new ProcessRecord(join(folder.directory, 'run'), 'daemon').read();
    return found !== undefined && owners.isAlive(found.owner) ? found.pid : undefined;
  }

  /** The one place of a daemon in this workspace, or of an agent's host; refuses where the person does not trust it. */
  async hostSeat(agent?: string): Promise<ProcessSeat> {
    this.#bench.requireTrust();
    const { folder, owners, clock } = this.#bench;
    const { leases } = await this.#bench.writable((await this.#bench.config()).alwaysSync);
    const { ProcessSeat, daemonRuns, hostRuns } = await import('./process/process-seat.ts');
    const name = agent === undefined ? 'daemon' : `agent-${agent}`;
    const record = new ProcessRecord(join(folder.directory, 'run'), name);
    const refusal = agent === undefined ? daemonRuns : hostRuns(agent);
    return new ProcessSeat({ name, leases, owners, record, clock, refusal });
  }

  /** A text without what must not be seen. */
  redact(text: string): string {
    return this.#bench.redactor.text(text);
  }

  /** Learns what came into the vault since; for whoever stays for long. */
  async learnSecrets(): Promise<void> {
    await (await this.#bench.surroundings()).primeRedactor();
  }

  letGo(): Promise<void> {
    return this.#bench.letGo();
  }

  close(): Promise<void> {
    return this.#bench.close();
  }

  #graphFiles(): GraphFiles {
    return new GraphFiles(this.#bench.folder.workspace, this.#bench.folder.directory);
  }

  async #policyAnswers(): Promise<PolicyAnswers> {
    this.#bench.folder.requireFolder();
    const { isTrusted } = await this.#bench.surroundings();
    const { PolicyAnswers } = await import('./policy/policy-answers.ts');
    return new PolicyAnswers({
      workspaceFolder: this.#bench.folder.workspace,
      home: this.#options.home,
      isTrusted,
      tools: () => this.#bench.tools(),
    });
  }

  async #serving(): Promise<Serving> {
    this.#bench.requireTrust();
    const tokenFile = join(this.#bench.folder.directory, 'run', 'mcp-token');
    const { Serving } = await import('./mcp/serving.ts');
    return new Serving({ api: this, tokenFile, clock: this.#bench.clock, random: this.#bench.random });
  }

  #loadGraphs(): Promise<Graphs> {
    this.#graphs ??= this.#openGraphs();
    return this.#graphs;
  }

  async #openGraphs(): Promise<Graphs> {
    const heavy = await heavyParts();
    const { Graphs, LocalExecutionBackend, SystemWatcher, PollingWatcher, Schedules } = heavy;
    const { workspace } = this.#bench.folder;
    const answer = (run: RunState): RunAnswer => this.#bench.answer(run);
    const schedules = new Schedules({
      ledger: () => this.#bench.ledger(),
      writable: async () => {
        this.#bench.requireTrust();
        return this.#bench.writable((await this.#bench.config()).alwaysSync);
      },
      engine: () => this.#bench.acting(),
      prepareRun: async (graph, options) => (await this.#loadGraphs()).prepareRun(graph, options),
      requireGraph: async (graph) => (await this.#loadGraphs()).identify(graph),
      watcher: () =>
        new SystemWatcher({
          watcher: new PollingWatcher(new heavy.WorkspaceFiles(workspace), workspace),
          workspace,
          clock: this.#bench.clock,
        }),
      record: new ProcessRecord(join(this.#bench.folder.directory, 'run'), 'scheduler'),
      owners: this.#bench.owners,
      clock: this.#bench.clock,
      ids: sortableIds(this.#bench.clock, this.#bench.random),
      onTrouble: (what) => this.#options.onTrouble?.(what),
      answer,
    });
    return new Graphs({
      files: this.#graphFiles(),
      tools: () => this.#bench.tools(),
      ledger: () => this.#bench.ledger(),
      reading: () => this.#bench.reading(),
      acting: () => this.#bench.acting(),
      backend: async () => new LocalExecutionBackend(await this.#bench.acting()),
      requireTrust: () => this.#bench.requireTrust(),
      model: async () => (await this.#bench.config()).defaultModel,
      simulate: (prepare, request) => this.#bench.simulate(prepare, request),
      watching: (onEvent, work) => this.#bench.watching({ onEvent }, work),
      answer,
      listItem: (run) => viewListItem(run, this.#bench.owners),
      schedules,
    });
  }

  async #singleTools(): Promise<SingleTools> {
    const { SingleTools } = await heavyParts();
    return new SingleTools({
      tools: () => this.#bench.tools(),
      run: (request, options) => this.#bench.start(request, options),
    });
  }

  // --- runs ---

  /** Goes on with a run that somebody has attended to; one that is paused stays so until it is resumed. */
  async #goOn(
    engine: Engine,
    id: string,
    options: { readonly by: string; readonly patienceMs?: number; readonly signal?: AbortSignal | undefined },
  ): Promise<RunAnswer> {
    const run = await engine.load(id);
    const { by, ...stay } = options;
    return this.#bench.answer(run.paused ? run : await engine.resume(id, { by, ...staying(stay) }));
  }

  async #explain(run: string): Promise<ExplainAnswer> {
    const engine = await this.#bench.reading();
    return viewExplanation(await engine.explain(run), await engine.load(run), this.#bench.owners);
  }

  async #replay(id: string, mode: ReplayMode): Promise<ReplayAnswer> {
    const engine = await this.#bench.reading();
    if (mode === 'narrative') {
      const { narrate } = await heavyParts();
      const narrative = narrate(await engine.explain(id));
      return { mode, equal: true, compared: 0, differences: [], notes: [], narrative };
    }
    if (mode === 'decision') {
      const report = await engine.replayDecisions(id);
      return { ...report, mode, equal: report.differences.length === 0 };
    }
    const { replayFully } = await heavyParts();
    const beside = await this.#bench.beside();
    const report = await replayFully(await engine.events(id), beside.options);
    return { ...report, mode, equal: report.differences.length === 0 };
  }

  async #resume(request: ResumeRequest): Promise<RunAnswer> {
    const engine = await this.#bench.acting();
    const { parseBudgets } = await heavyParts();
    const amounts = parseBudgets(request.addBudgets);
    return this.#bench.watching(request, async () => {
      if (Object.keys(amounts).length > 0) await engine.addBudget(request.run, amounts, request.by);
      const { repin, by } = request;
      const run = repin ? await engine.load(request.run) : undefined;
      const graph = run?.kind === 'graph' ? await (await this.#loadGraphs()).current(run) : undefined;
      const options = { ...staying(request), repin, by, ...(graph ? { graph } : {}) };
      return withBlocker(this.#bench, this.#bench.answer(await engine.resume(request.run, options)));
    });
  }

  // --- approvals ---

  async #requireApproval(id: string) {
    const found = await this.#bench.ledger().runs.approval(id);
    if (found) return found;
    throw new OkaError('engine.unknown_approval', `there is no approval "${id}"; see: oka approvals list.`, {
      data: { approval: id },
    });
  }

  async #approve(request: ApprovalRequest, patienceMs: number): Promise<RunAnswer> {
    const engine = await this.#bench.acting();
    const { id, by, answer, argumentsHash, edit, remember } = request;
    const run = await engine
      .decide(
        id,
        answer === undefined
          ? {
              kind: 'approve',
              ...(argumentsHash === undefined ? {} : { argumentsHash }),
              ...(edit === undefined ? {} : { edit }),
              ...(remember === undefined ? {} : { remember }),
            }
          : { kind: 'answer', answer },
        by,
      )
      .catch(async (error: unknown) => {
        if ((error as OkaError).code === 'engine.approval_expired')
          await engine.resume((await this.#requireApproval(id)).run);
        throw error;
      });
    return this.#goOn(engine, run, { by, patienceMs, signal: request.signal });
  }

  // --- ledger ---

  async #verify(request: VerifyRequest): Promise<VerifyAnswer> {
    const { verifyLedger } = await heavyParts();
    return verifyLedger(await this.#verifyParts(), request);
  }

  async #verifyParts() {
    const folder = this.#bench.requireWorkspace();
    const { clock } = this.#bench;
    const { FileArtifactStore } = await heavyParts();
    const { vaultFaults } = await import('./vault/vault.ts');
    return {
      folder,
      clock,
      artifacts: new FileArtifactStore(folder.objects, clock),
      vaultFaults: (database: Parameters<typeof vaultFaults>[1]) =>
        vaultFaults({ directory: folder.directory, home: this.#options.home }, database),
    };
  }

  async #repair(request: RepairRequest): Promise<RepairAnswer> {
    this.#bench.requireTrust();
    const { repairLedger } = await heavyParts();
    const { repairableVault } = await import('./vault/vault.ts');
    const parts = await this.#verifyParts();
    await this.#bench.close();
    return repairLedger(
      {
        ...parts,
        open: () => this.#bench.writable(),
        vault: (ledger) => repairableVault(this.#vaultParts(), ledger),
        readBackup: async (file, path) =>
          (await import('../adapters/backup/index.ts')).readBackupEntry(file, path),
        verify: () => this.#verify({ full: true }),
      },
      request,
    );
  }

  #vaultParts() {
    const { folder, clock, random, redactor } = this.#bench;
    const ids = sortableIds(clock, random);
    return { directory: folder.directory, home: this.#options.home, clock, ids, redactor };
  }

  async #rebuild(from?: 'table' | 'mirror'): Promise<RebuildAnswer> {
    const folder = this.#bench.requireWorkspace();
    const { database, mirror } = folder.sizes();
    const source = from ?? (database === 0 && mirror > 0 ? 'mirror' : 'table');
    const { rebuildFromMirror } = await heavyParts();
    if (source === 'mirror') {
      await this.#bench.close();
      return rebuildFromMirror(folder, () => this.#bench.clock.now());
    }
    const ledger = await this.#bench.writable();
    ledger.archive.rebuildTables();
    return { from: 'table', events: ledger.archive.statistics().events, dropped: 0 };
  }

  async *#tail(options: Parameters<OkaApi['ledger']['tail']>[0]): AsyncGenerator<EventView> {
    const { tailLedger } = await heavyParts();
    yield* tailLedger(this.#bench.ledger(), this.#bench.clock, options);
  }

  async *#export(): AsyncGenerator<string> {
    for (const record of this.#bench.ledger().archive.records())
      yield 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
  }

  async #stats(): Promise<LedgerStatsAnswer> {
    const statistics = this.#bench.ledger().archive.statistics();
    const { FileArtifactStore } = await heavyParts();
    const artifacts = await new FileArtifactStore(this.#bench.folder.objects, this.#bench.clock).list();
    const artifactBytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
    return { ...statistics, mirrorBytes: this.#bench.folder.sizes().mirror, artifactBytes };
  }

  async #gc(request: GcRequest): Promise<GcAnswer> {
    this.#bench.requireTrust();
    const ledger = await this.#bench.writable();
    if (!request.dryRun) this.#bench.folder.discardBackups();
    const { collectGarbage, FileArtifactStore, whileMaintaining } = await heavyParts();
    const { folder, clock } = this.#bench;
    const artifacts = new FileArtifactStore(folder.objects, clock);
    const collect = () => collectGarbage(request, { ledger, artifacts, folder, now: clock.now() });
    const answer = request.dryRun ? await collect() : await whileMaintaining(ledger, this.#bench, collect);
    if (answer !== 'busy') return answer;
    throw new OkaError(
      'ledger.busy',
      'maintenance is running in this workspace; try again when it is done.',
      {
        transient: true,
      },
    );
  }
}
