import { join } from 'node:path';
import { ProcessRecord, processOwners } from '../adapters/processes/index.ts';
import { GraphFiles, UserFolder, WorkspaceFolder } from '../adapters/workspace/index.ts';
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
  ReplayAnswer,
  ReplayMode,
  ResumeRequest,
  RunAnswer,
  VerifyAnswer,
} from '../api/index.ts';
import { loadConfig, type OkaConfig } from '../config/index.ts';
import type { Engine, Owners, RunRequest, RunState } from '../engine/index.ts';
import {
  type Clock,
  OkaError,
  type Random,
  sortableIds,
  systemClock,
  systemRandom,
} from '../kernel/index.ts';
import { archivedLine, type EventStore, mirrorLine } from '../ledger/index.ts';
import type { Graphs } from './graphs.ts';
import { lazyGraphs } from './lazy-graphs.ts';
import { OpenLedger } from './open-ledger.ts';
import { answerRun, viewApproval, viewEvent, viewExplanation, viewListItem } from './views.ts';

declare const __OKA_VERSION__: string;

const heavyParts = () => import('./heavy-parts.ts');

export interface OkaOptions {
  readonly workspace: string;
  /** The person's own folder, where trust and grants are kept. */
  readonly home: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly owners?: Owners;
  readonly wrapEvents?: (store: EventStore) => EventStore;
  /** Learns what was mended when the ledger was opened. */
  readonly onMended?: (what: string) => void;
  /** Learns what went wrong while schedules are worked on, and will be tried again. */
  readonly onTrouble?: (what: string) => void;
}

/** Oka on one workspace, in this process. Opens only what a call needs. */
export class Oka implements OkaApi {
  readonly #options: OkaOptions;
  readonly #folder: WorkspaceFolder;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #owners: Owners;
  readonly #user: UserFolder;
  #ledger: OpenLedger | undefined;
  #engine: Promise<Engine> | undefined;
  #graphs: Promise<Graphs> | undefined;

  constructor(options: OkaOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#owners = options.owners ?? processOwners();
    this.#folder = new WorkspaceFolder(options.workspace);
    this.#user = new UserFolder(options.home, this.#clock);
  }

  async init(request: { readonly trust: boolean }): Promise<InitAnswer> {
    const created = this.#folder.create();
    if (request.trust) this.#user.trust(this.#folder.workspace);
    await this.#writableLedger();
    return {
      workspace: this.#folder.workspace,
      created,
      trusted: this.#user.isTrusted(this.#folder.workspace),
    };
  }

  async do(request: DoRequest): Promise<RunAnswer> {
    const { parseBudgets } = await heavyParts();
    const budgets = parseBudgets(request.budgets);
    const run = { kind: 'agent', goal: request.goal, budgets };
    if (request.simulate) return this.#simulate(async () => run, request);
    const engine = await this.#actingEngine();
    return this.#watching(request.onEvent, async () =>
      this.#answer(await engine.run(run, { patienceMs: request.patienceMs })),
    );
  }

  readonly runs: OkaApi['runs'] = {
    list: async (filter) => {
      const { status, limit } = filter;
      const runs = await this.#openLedger().runs.list({
        limit,
        ...(status === undefined ? {} : { status: status as 'running' }),
      });
      if (!filter.full) return runs.map((run) => viewListItem(run, this.#owners));
      const engine = await this.#readingEngine();
      return Promise.all(runs.map(async (run) => this.#answer(await engine.load(run.id)).run));
    },
    show: async (run) => this.#answer(await (await this.#readingEngine()).load(run)),
    explain: (run) => this.#explain(run),
    replay: (run, mode) => this.#replay(run, mode),
    pause: async (run, by) => this.#answer(await (await this.#actingEngine()).pause(run, by)),
    resume: (request) => this.#resume(request),
    signal: async (run, event, payload, by) => {
      const engine = await this.#actingEngine();
      const signalled = await engine.signal(run, event, payload, by);
      if (signalled.owner !== undefined) return this.#answer(signalled);
      return this.#goOn(engine, run, { by, patienceMs: 0 });
    },
    fork: async (run, step, vars, patienceMs) => {
      const engine = await this.#actingEngine();
      await engine.load(run);
      return this.#answer(await engine.resume(await engine.fork(run, step, vars), { patienceMs }));
    },
    cancel: async (run, by, reason) =>
      this.#answer(await (await this.#actingEngine()).cancel(run, by, reason)),
    undo: async (run, by, force) => (await this.#actingEngine()).undo(run, by, { force }),
    correct: async (run, text, by) => this.#answer(await (await this.#actingEngine()).correct(run, text, by)),
    pinDifferences: async (run) => (await this.#readingEngine()).pinDifferences(run),
  };

  readonly graphs: OkaApi['graphs'] = lazyGraphs(
    () => this.#loadGraphs(),
    async () => (await import('./list-graphs.ts')).listGraphs(this.#graphFiles()),
  );

  readonly approvals: OkaApi['approvals'] = {
    list: async (filter) =>
      (await this.#openLedger().runs.approvals(filter as { status?: 'pending' })).map((approval) =>
        viewApproval(approval, this.#clock.now()),
      ),
    show: async (id) => viewApproval(await this.#requireApproval(id), this.#clock.now()),
    approve: (request, patienceMs) => this.#approve(request, patienceMs),
    deny: async (id, by) => {
      const engine = await this.#actingEngine();
      return this.#goOn(engine, await engine.decide(id, { kind: 'deny' }, by), { by });
    },
  };

  readonly ledger: OkaApi['ledger'] = {
    tail: (options) => this.#tail(options),
    verify: (options) => this.#verify(options),
    rebuild: (from) => this.#rebuild(from),
    export: () => this.#export(),
    stats: () => this.#stats(),
    gc: (request) => this.#gc(request),
  };

  async doctor(): Promise<DoctorAnswer> {
    const trusted = this.#user.isTrusted(this.#requireWorkspace().workspace);
    const ledger = this.#openLedger();
    const engine = trusted ? await this.#readingEngine() : undefined;
    const { examineMachine } = await heavyParts();
    return examineMachine({ version: __OKA_VERSION__, folder: this.#folder, trusted, ledger, engine });
  }

  async letGo(): Promise<void> {
    // An engine that could not be opened has told so to whoever asked for it.
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close();
  }

  async close(): Promise<void> {
    await this.letGo();
    await this.#ledger?.close();
    this.#engine = undefined;
    this.#ledger = undefined;
  }

  // --- opening ---

  #requireWorkspace(): WorkspaceFolder {
    this.#folder.requireFolder();
    this.#folder.refuseLinks();
    if (this.#folder.exists) return this.#folder;
    throw new OkaError(
      'config.no_workspace',
      `there is no Oka workspace in ${this.#folder.workspace}; make one with: oka init --trust.`,
      {
        data: { folder: this.#folder.workspace },
      },
    );
  }

  #openLedger(alwaysSync = false): OpenLedger {
    if (this.#ledger === undefined) {
      const { wrapEvents } = this.#options;
      this.#ledger = new OpenLedger(this.#requireWorkspace(), {
        ...this.#ports(),
        alwaysSync,
        ...(wrapEvents ? { wrapEvents } : {}),
      });
    }
    return this.#ledger;
  }

  async #writableLedger(alwaysSync = false): Promise<OpenLedger> {
    const ledger = this.#openLedger(alwaysSync);
    for (const what of await ledger.startWriting()) this.#options.onMended?.(what);
    return ledger;
  }

  /** An engine that only loads and explains; nothing of the workspace's own configuration is read for it. */
  async #readingEngine(): Promise<Engine> {
    return this.#engine ?? this.#openEngine(await loadConfig(''), this.#openLedger());
  }

  /** An engine that may act: only in a workspace that the person trusts. */
  async #actingEngine(): Promise<Engine> {
    this.#requireTrust();
    this.#engine ??= (async () => {
      const config = await loadConfig(this.#folder.config);
      return this.#openEngine(config, await this.#writableLedger(config.alwaysSync));
    })();
    return this.#engine;
  }

  #requireTrust(): void {
    this.#folder.requireFolder();
    this.#folder.refuseLinks();
    if (this.#folder.exists && this.#user.isTrusted(this.#folder.workspace)) return;
    throw new OkaError(
      'config.not_trusted',
      `${this.#folder.workspace} is not trusted yet, so nothing in it may act. If you trust it, run: oka init --trust.`,
      { data: { workspace: this.#folder.workspace } },
    );
  }

  async #openEngine(config: OkaConfig, ledger: OpenLedger): Promise<Engine> {
    const { openEngine } = await heavyParts();
    return openEngine({ folder: this.#folder, user: this.#user, ledger, config, ports: this.#ports() });
  }

  #ports() {
    return { clock: this.#clock, random: this.#random, owners: this.#owners };
  }

  #graphFiles(): GraphFiles {
    return new GraphFiles(this.#folder.workspace, this.#folder.directory);
  }

  #loadGraphs(): Promise<Graphs> {
    this.#graphs ??= this.#openGraphs();
    return this.#graphs;
  }

  async #openGraphs(): Promise<Graphs> {
    const { Graphs, LocalExecutionBackend, loadBehaviour, PollingWatcher, Schedules, WorkspaceFiles } =
      await heavyParts();
    const answer = (run: RunState): RunAnswer => this.#answer(run);
    const schedules = new Schedules({
      ledger: () => this.#openLedger(),
      writable: async () => {
        this.#requireTrust();
        return this.#writableLedger((await loadConfig(this.#folder.config)).alwaysSync);
      },
      engine: () => this.#actingEngine(),
      prepareRun: async (graph, options) => (await this.#loadGraphs()).prepareRun(graph, options),
      requireGraph: async (graph) => (await this.#loadGraphs()).identify(graph),
      watcher: () => new PollingWatcher(new WorkspaceFiles(this.#folder.workspace), this.#folder.workspace),
      record: new ProcessRecord(join(this.#folder.directory, 'run'), 'scheduler'),
      owners: this.#owners,
      clock: this.#clock,
      ids: sortableIds(this.#clock, this.#random),
      onTrouble: (what) => this.#options.onTrouble?.(what),
      answer,
    });
    return new Graphs({
      files: this.#graphFiles(),
      tools: async () => (await loadBehaviour()).tools,
      ledger: () => this.#openLedger(),
      reading: () => this.#readingEngine(),
      acting: () => this.#actingEngine(),
      backend: async () => new LocalExecutionBackend(await this.#actingEngine()),
      requireTrust: () => this.#requireTrust(),
      model: async () => {
        const config = await loadConfig(this.#folder.config);
        return config.defaultModel;
      },
      simulate: (prepare, request) => this.#simulate(prepare, request),
      watching: (onEvent, work) => this.#watching(onEvent, work),
      answer,
      listItem: (run) => viewListItem(run, this.#owners),
      schedules,
    });
  }

  // --- runs ---

  #answer(run: RunState): RunAnswer {
    return answerRun(run, this.#owners);
  }

  /** Goes on with a run that somebody has attended to; one that is paused stays so until it is resumed. */
  async #goOn(
    engine: Engine,
    id: string,
    options: { readonly by: string; readonly patienceMs?: number },
  ): Promise<RunAnswer> {
    const run = await engine.load(id);
    return this.#answer(run.paused ? run : await engine.resume(id, options));
  }

  /** Shows events as they are stored while `work` goes on. */
  async #watching<T>(onEvent: ((event: EventView) => void) | undefined, work: () => Promise<T>): Promise<T> {
    if (onEvent === undefined) return work();
    const stop = this.#openLedger().store.subscribe((events) => {
      for (const event of events) onEvent(viewEvent(event));
    });
    try {
      return await work();
    } finally {
      stop();
    }
  }

  async #simulate(
    prepare: (engine: Engine) => Promise<RunRequest>,
    request: Pick<DoRequest, 'patienceMs' | 'onEvent'>,
  ): Promise<RunAnswer> {
    this.#requireTrust();
    const config = await loadConfig(this.#folder.config);
    const ledger = this.#openLedger(config.alwaysSync);
    const { Engine, openBeside } = await heavyParts();
    const { options, overlay } = await openBeside({
      folder: this.#folder,
      user: this.#user,
      ledger,
      config,
      ports: this.#ports(),
    });
    const engine = new Engine({ ...options, simulate: true });
    const { onEvent } = request;
    if (onEvent) engine.parts.events.subscribe((events) => events.map(viewEvent).forEach(onEvent));
    const simulated = await engine.run(await prepare(engine), { patienceMs: request.patienceMs });
    return { ...this.#answer(simulated), wouldChange: overlay.changes() };
  }

  async #explain(run: string): Promise<ExplainAnswer> {
    const engine = await this.#readingEngine();
    return viewExplanation(await engine.explain(run), await engine.load(run), this.#owners);
  }

  async #replay(id: string, mode: ReplayMode): Promise<ReplayAnswer> {
    const engine = await this.#readingEngine();
    if (mode === 'narrative') {
      const { narrate } = await heavyParts();
      const narrative = narrate(await engine.explain(id));
      return { mode, equal: true, compared: 0, differences: [], notes: [], narrative };
    }
    if (mode === 'decision') {
      const report = await engine.replayDecisions(id);
      return { ...report, mode, equal: report.differences.length === 0 };
    }
    this.#requireTrust();
    const config = await loadConfig(this.#folder.config);
    const { openBeside, replayFully } = await heavyParts();
    const beside = await openBeside({
      folder: this.#folder,
      user: this.#user,
      ledger: this.#openLedger(),
      config,
      ports: this.#ports(),
    });
    const report = await replayFully(await engine.events(id), beside.options);
    return { ...report, mode, equal: report.differences.length === 0 };
  }

  async #resume(request: ResumeRequest): Promise<RunAnswer> {
    const engine = await this.#actingEngine();
    const { parseBudgets } = await heavyParts();
    const amounts = parseBudgets(request.addBudgets);
    return this.#watching(request.onEvent, async () => {
      if (Object.keys(amounts).length > 0) await engine.addBudget(request.run, amounts, request.by);
      const { patienceMs, repin, by } = request;
      const run = repin ? await engine.load(request.run) : undefined;
      const graph = run?.kind === 'graph' ? await (await this.#loadGraphs()).current(run) : undefined;
      const options = { patienceMs, repin, by, ...(graph ? { graph } : {}) };
      return this.#answer(await engine.resume(request.run, options));
    });
  }

  // --- approvals ---

  async #requireApproval(id: string) {
    const found = await this.#openLedger().runs.approval(id);
    if (found) return found;
    throw new OkaError('engine.unknown_approval', `there is no approval "${id}"; see: oka approvals list.`, {
      data: { approval: id },
    });
  }

  async #approve(request: ApprovalRequest, patienceMs: number): Promise<RunAnswer> {
    const engine = await this.#actingEngine();
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
    return this.#goOn(engine, run, { by, patienceMs });
  }

  // --- ledger ---

  async #verify(options: { readonly repair: boolean }): Promise<VerifyAnswer> {
    const ledger = this.#openLedger();
    const mended = await ledger.startWriting();
    const { verifyLedger } = await heavyParts();
    const answer = await verifyLedger(ledger, options);
    return { ...answer, mended: [...mended, ...answer.mended] };
  }

  async #rebuild(from?: 'table' | 'mirror'): Promise<RebuildAnswer> {
    const folder = this.#requireWorkspace();
    const { database, mirror } = folder.sizes();
    const source = from ?? (database === 0 && mirror > 0 ? 'mirror' : 'table');
    const { rebuildDatabase } = await heavyParts();
    if (source === 'mirror') return rebuildDatabase(folder, () => this.#clock.now());
    const ledger = await this.#writableLedger();
    ledger.archive.rebuildTables();
    return { from: 'table', events: ledger.archive.statistics().events, dropped: 0 };
  }

  async *#tail(options: Parameters<OkaApi['ledger']['tail']>[0]): AsyncGenerator<EventView> {
    const { tailLedger } = await heavyParts();
    yield* tailLedger(this.#openLedger(), this.#clock, options);
  }

  async *#export(): AsyncGenerator<string> {
    for (const record of this.#openLedger().archive.records())
      yield 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
  }

  async #stats(): Promise<LedgerStatsAnswer> {
    const statistics = this.#openLedger().archive.statistics();
    const { FileArtifactStore } = await heavyParts();
    const artifacts = await new FileArtifactStore(this.#folder.objects, this.#clock).list();
    const artifactBytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
    return { ...statistics, mirrorBytes: this.#folder.sizes().mirror, artifactBytes };
  }

  async #gc(request: GcRequest): Promise<GcAnswer> {
    this.#requireTrust();
    const ledger = await this.#writableLedger();
    if (!request.dryRun) this.#folder.discardKept();
    const { collectGarbage, FileArtifactStore } = await heavyParts();
    return collectGarbage(
      request,
      ledger,
      new FileArtifactStore(this.#folder.objects, this.#clock),
      this.#clock.now(),
    );
  }
}
