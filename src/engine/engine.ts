import {
  type Clock,
  createRedactor,
  type Digest,
  type Ids,
  isOkaError,
  type Json,
  type JsonObject,
  OkaError,
  type Random,
  type Redactor,
  sortableIds,
  systemClock,
  systemRandom,
} from '../kernel/index.ts';
import { type EventStore, type LedgerEvent, MemoryEventStore, type StreamAppend } from '../ledger/index.ts';
import type { BoundFile } from './binding.ts';
import { type BudgetLimits, DEFAULT_LIMITS, type Spend } from './budgets.ts';
import { continueFailedRun, forkRun, type KeyedStart } from './continue-run.ts';
import { addBudget, cancelRun, correctRun, pauseRun, signalRun, unpauseRun } from './control-run.ts';
import { type ApprovalDecision, decideApproval } from './decide-approval.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { EventRunStore } from './event-run-store.ts';
import { type Explanation, explainRun } from './explain.ts';
import { applyRunEvent } from './fold-run.ts';
import { loadRun, missingRun } from './load-run.ts';
import { MemoryArtifactStore, MemoryCache, MemoryRunStore } from './memory-stores.ts';
import { audit } from './middleware/audit.ts';
import { checkBudget } from './middleware/check-budget.ts';
import { checkEligibility } from './middleware/check-eligibility.ts';
import { checkPolicy, judgeFurther } from './middleware/check-policy.ts';
import { checkSchema } from './middleware/check-schema.ts';
import { defaultPolicy } from './middleware/judge-call.ts';
import { limitRate, MemoryRateGate, type RateLimits } from './middleware/limit-rate.ts';
import { redact } from './middleware/redact.ts';
import { runHooks } from './middleware/run-hooks.ts';
import { CallWatch, timeoutAndRetry } from './middleware/timeout-retry.ts';
import { trace } from './middleware/trace.ts';
import { useCache } from './middleware/use-cache.ts';
import { arrangeMiddleware, MiddlewareChain, type PlacedMiddleware } from './middleware-chain.ts';
import {
  currentPins,
  newRunEvent,
  pinDifferences,
  pinnedGraph,
  requireKind,
  requireState,
  storeGraph,
} from './new-run.ts';
import type {
  ArtifactStore,
  Cache,
  ContentOrigins,
  Grants,
  Hooks,
  JudgeRun,
  KnownPrograms,
  MemoryStore,
  Owners,
  Policy,
  RateGate,
  Recall,
  RunStore,
  RunSummary,
  Telemetry,
} from './ports.ts';
import { joinRecalls, MEMORY_STORE, recallFrom } from './recall-memory.ts';
import { type ReplayReport, replayDecisions } from './replay-decisions.ts';
import { type DriveOptions, ignoreEnded, ignoreOwned, isEnded, RunDriver } from './run-driver.ts';
import { runEvent, runStream } from './run-events.ts';
import { runProjection } from './run-projection.ts';
import type { ReleaseOptions } from './run-session.ts';
import type { RunState } from './run-state.ts';
import { descendantsOf } from './run-tree.ts';
import { commitToRun } from './run-writer.ts';
import { type FindPools, SpendingPools } from './spending-pools.ts';
import type { StateGraph } from './state-graph.ts';
import { type Capabilities, type Tool, ToolRegistry, type WatchCall } from './tool.ts';
import type { RunId } from './types.ts';
import { type UndoReport, undoRun } from './undo-run.ts';

const DAY_MS = 86_400_000;
const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024;

/** Options of an engine. Everything but tools and kinds has an in-memory default. */
export interface EngineOptions {
  readonly tools: Iterable<Tool>;
  readonly kinds: Iterable<RunKind>;
  /** Precomputed digests of tools, by name. */
  readonly toolDigests?: Readonly<Record<string, Digest>>;
  readonly events?: EventStore;
  readonly runs?: RunStore;
  readonly artifacts?: ArtifactStore;
  readonly cache?: Cache;
  readonly policy?: Policy;
  readonly grants?: Grants;
  /** The programs that policy rows have covered so far; by default those of this engine. */
  readonly programs?: KnownPrograms;
  readonly hooks?: Hooks;
  readonly recall?: Recall;
  /** Knowledge across runs: each run recalls what it has about its goal, and tools reach it as `memoryStore`. */
  readonly memory?: MemoryStore;
  readonly owners?: Owners;
  readonly telemetry?: Telemetry;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly ids?: Ids;
  readonly redactor?: Redactor;
  readonly capabilities?: Capabilities;
  /** The hosts that the user's configuration names for every run. */
  readonly namedHosts?: readonly string[];
  /** Judges the runs that complete; without one, a run has the outcome that its planner tells. */
  readonly judge?: JudgeRun;
  /** What is known about the origin of content; also the capability `content`. */
  readonly content?: ContentOrigins;
  /** Makes the capabilities of one call. */
  readonly watch?: WatchCall;
  readonly middleware?: readonly PlacedMiddleware[];
  readonly rateLimits?: RateLimits;
  readonly rateGate?: RateGate;
  readonly limits?: BudgetLimits;
  /** Limits that runs share, such as those of a day. */
  readonly pools?: FindPools;
  /** The ledger of the pools, if it is not the one of the runs: a simulation spends real money. */
  readonly poolEvents?: EventStore;
  readonly approvalExpiresMs?: number;
  readonly maxOutputBytes?: number;
  readonly simulate?: boolean;
  /** The ledger of real runs; a simulation only reads it. */
  readonly recorded?: EventStore;
  readonly actor?: string;
}

export interface RunRequest {
  readonly kind: string;
  readonly goal: string;
  readonly vars?: JsonObject;
  readonly budgets?: BudgetLimits;
  /** Overrides the graph of the run's kind. */
  readonly graph?: StateGraph;
  /** The subject of the run, such as the ID of an automation. */
  readonly subject?: string;
  /** Stable across resumes and unique per cause; defaults to the run's ID. */
  readonly origin?: string;
  /** Whether the goal contains untrusted text. */
  readonly untrusted?: boolean;
  /** Where the untrusted text comes from. */
  readonly untrustedFrom?: string;
  /** The hosts that a person has named for this run, see `hostsNamedBy`. Only a person's own words count. */
  readonly namedHosts?: readonly string[];
  /** Runs of one group share pools, such as those of a conversation. */
  readonly group?: string;
  readonly id?: string;
  /** Identifies what was asked for: a second start with this `id` and digest gets the run that the first one created. */
  readonly asked?: Digest;
}

export interface ResumeOptions extends DriveOptions {
  /** Continues with the current planner and tools if they have changed. */
  readonly repin?: boolean;
  /** The graph to continue with when repinning. */
  readonly graph?: StateGraph;
  readonly by?: string;
}

/** Drives runs: the planner proposes, policy decides, a tool acts, the ledger records. */
export class Engine {
  readonly parts: EngineParts;
  readonly #grants: Grants;
  readonly #programs: KnownPrograms;
  readonly #limits: BudgetLimits;
  readonly #namedHosts: readonly string[];
  readonly #driver: RunDriver;

  constructor(options: EngineOptions) {
    const clock = options.clock ?? systemClock;
    const random = options.random ?? systemRandom;
    const redactor = options.redactor ?? createRedactor();
    const hooks = options.hooks ?? NO_HOOKS;
    const artifacts = options.artifacts ?? new MemoryArtifactStore(clock);
    const policy = options.policy ?? defaultPolicy;
    const { events, runs } = chooseStores(options, clock, random);
    this.#grants = options.grants ?? NO_GRANTS;
    this.#programs = options.programs ?? rememberPrograms();
    this.#namedHosts = options.namedHosts ?? [];
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    const middleware = arrangeMiddleware(
      new Map([
        ['schema', checkSchema],
        ['eligibility', checkEligibility],
        ['policy', checkPolicy(policy, this.#grants, this.#programs)],
        ['cache', useCache(options.cache ?? new MemoryCache(clock))],
        ['budget', checkBudget],
        [
          'rate_limit',
          limitRate(options.rateLimits ?? {}, clock, options.rateGate ?? new MemoryRateGate(clock)),
        ],
        ['timeout_retry', timeoutAndRetry(clock, random, new CallWatch(clock))],
        ['redaction', redact(redactor)],
        ['audit', audit(options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES, redactor)],
        ['hooks', runHooks(hooks)],
        ['telemetry', trace(options.telemetry, redactor)],
      ]),
      options.middleware ?? [],
    );
    this.parts = {
      events,
      runs,
      artifacts,
      policy,
      judgeFurther: judgeFurther(policy, this.#grants),
      hooks,
      clock,
      random,
      redactor,
      tools: new ToolRegistry(options.tools, options.toolDigests),
      kinds: new Map([...options.kinds].map((kind) => [kind.name, kind])),
      middleware: new MiddlewareChain(middleware),
      recall: joinRecalls([
        ...(options.recall ? [options.recall] : []),
        ...(options.memory ? [recallFrom(options.memory)] : []),
      ]),
      content: options.content,
      watch: options.watch,
      judge: options.judge,
      owners: options.owners ?? ONLY_OWNER,
      ids: options.ids ?? sortableIds(clock, random),
      capabilities: {
        ...(options.memory ? { [MEMORY_STORE]: options.memory } : {}),
        ...(options.content ? { content: options.content } : {}),
        ...options.capabilities,
      },
      approvalExpiresMs: options.approvalExpiresMs ?? DAY_MS,
      simulate: options.simulate ?? false,
      recorded: options.recorded,
      snapshotAlways: options.events === undefined && options.runs !== undefined,
      account: (root) => this.#driver.account(root),
      pools: new SpendingPools(options.pools, {
        runs: events,
        ...(options.poolEvents ? { pools: options.poolEvents } : {}),
      }),
      telemetry: options.telemetry,
      actor: options.actor ?? 'engine',
    };
    this.#driver = new RunDriver(this.parts, (id, by, reason) => this.cancel(id, by, reason));
  }

  /** The middleware, outermost first, as `oka doctor` prints it. */
  get middlewareOrder(): readonly string[] {
    return this.parts.middleware.names;
  }

  /** Creates a run and drives it until it ends or has to wait. */
  async run(request: RunRequest, options: DriveOptions = {}): Promise<RunState> {
    await this.parts.events.waitForCapacity();
    const { run, isNew } = await this.#create(request, this.parts.owners.self);
    const driven = isNew
      ? await this.#driver.drive(run.id, options, { owned: run }).catch(reportUnknownStart(run.id))
      : ((await this.drive(run.id, options).catch(ignoreOwned)) ?? (await this.load(run.id)));
    return this.#orPaused(driven, options);
  }

  /** The append that creates a run, for a commit that also records why; the run is driven later. */
  async prepare(
    request: RunRequest,
  ): Promise<{ readonly run: RunId; readonly appends: readonly StreamAppend[] }> {
    const { id, append } = await this.#newRun(request, undefined);
    return { run: id, appends: [append] };
  }

  /** Creates a run that is driven later, or finds the one that an earlier start with the same key has created. */
  async create(request: RunRequest): Promise<RunState> {
    return (await this.#create(request, undefined)).run;
  }

  /**
   * Continues a run and its descendants, and then its ancestors. A crashed, paused or waiting run continues in place; a
   * failed or cancelled one stays unchanged, and a new run continues from its last good point. Returns the run that was
   * driven.
   */
  async resume(id: string, options: ResumeOptions = {}): Promise<RunState> {
    const run = await this.prepareResume(id, options);
    const driven = await this.#driver.drive(run.id, options, { loaded: run });
    if (!driven.ended || driven.lineage.parent === undefined) return this.#orPaused(driven, options);
    for (let up: RunState | undefined = driven; up?.ended && up.lineage.parent !== undefined; ) {
      up = await this.#driver.drive(up.lineage.parent, options).catch(ignoreOwned);
    }
    return loadRun(driven.id, this.parts);
  }

  /** A run that a person stopped waits for them, and not for the next process. */
  async #orPaused(run: RunState, { signal, pausesOnAbort }: DriveOptions): Promise<RunState> {
    const isForPerson = run.waiting?.for === 'approval' || run.waiting?.for === 'answer';
    if (!pausesOnAbort || !signal?.aborted || run.ended || run.paused || isForPerson) return run;
    return this.pause(run.id, this.parts.actor);
  }

  /** Records what lets a run continue, as `resume` does, and returns the run to drive, which may be a new one. */
  async prepareResume(id: string, options: ResumeOptions = {}): Promise<RunState> {
    let run = await loadRun(id, this.parts);
    if (run.ended?.status === 'completed') return run;
    if (run.ended) return this.#continuation(run, options);
    const by = options.by ?? this.parts.actor;
    if (run.paused) run = await unpauseRun(id, by, this.parts);
    for (const { id: below, status } of await this.descendants(run))
      if (status === 'paused') await unpauseRun(below, by, this.parts);
      else if (status === 'waiting') await this.#retryPools(await loadRun(below, this.parts), by);
    run = await this.#retryPools(run, by);
    await this.#checkPins(run, options);
    return run;
  }

  /** Drives a run as it is, without its ancestors: a paused or ended run stays as it is, and so do its descendants. */
  async drive(id: string, options: DriveOptions = {}): Promise<RunState> {
    let run = await loadRun(id, this.parts);
    if (run.paused) return run;
    if (!run.ended) {
      await this.#checkPins(run, {});
      const below = options.onChildren === undefined ? await this.descendants(run) : [];
      for (const { id: child, status, waitsFor } of below)
        if (status === 'waiting' && waitsFor === 'budget')
          await this.#retryPools(await loadRun(child, this.parts), this.parts.actor);
      run = await this.#retryPools(run, this.parts.actor);
    }
    return this.#driver.drive(id, options, { loaded: run });
  }

  /** Whether this process works on a run now. */
  isDriving(id: string): boolean {
    return this.#driver.isDriving(id);
  }

  /** Unparks a run that waits for a pool of runs, once it has enough left. */
  async #retryPools(run: RunState, by: string): Promise<RunState> {
    const { waiting } = run;
    if (waiting?.for !== 'budget' || waiting.pool === undefined) return run;
    if (await this.parts.pools.isShort(run, waiting, this.parts.clock.now())) return run;
    return addBudget(run.id, {}, by, this.parts);
  }

  /** The run that continues a failed or cancelled one: its existing continuation, or a new run. */
  async #continuation(run: RunState, options: ResumeOptions): Promise<RunState> {
    if (run.lineage.parent !== undefined) {
      throw new OkaError(
        'engine.run_ended',
        `Run ${run.id} was a child of ${run.lineage.root} and has ended. Resume ${run.lineage.root} instead.`,
        { data: { run: run.id, root: run.lineage.root } },
      );
    }
    // Ends what a crash left below it, which would otherwise act beside the new run.
    await this.#driver.drive(run.id, {}, { loaded: run });
    const next = (await this.parts.runs.list({ resumedFrom: run.id, limit: 1 }))[0];
    if (next) return this.prepareResume(next.id, options);
    const graph = options.repin ? options.graph : undefined;
    return loadRun(await continueFailedRun(run.id, this.parts, graph), this.parts);
  }

  /** Stores a state graph, so that children can be started on it by its hash. */
  async storeGraph(graph: StateGraph): Promise<Digest> {
    return storeGraph(graph, this.parts);
  }

  async load(id: string): Promise<RunState> {
    return loadRun(id, this.parts);
  }

  /** Records a person's decision on an approval or a question. The run can then be resumed. */
  decide(approval: string, decision: ApprovalDecision, by: string): Promise<string> {
    return decideApproval(approval, decision, by, this.parts, {
      grants: this.#grants,
      programs: this.#programs,
    });
  }

  /** The descendants of a run, parents before their children. */
  async descendants({ id, lineage, used }: RunState): Promise<readonly RunSummary[]> {
    return used.children === undefined ? [] : descendantsOf({ id, root: lineage.root }, this.parts.runs);
  }

  /** Pauses the run and its descendants, each at its next step. */
  async pause(id: string, by: string): Promise<RunState> {
    const run = await pauseRun(id, by, this.parts);
    for (const below of await this.descendants(run))
      if (!isEnded(below.status)) await pauseRun(below.id, by, this.parts).catch(ignoreEnded);
    return run;
  }

  /** Cancels the run and its descendants. */
  async cancel(id: string, by: string, reason: string): Promise<RunState> {
    let run = await cancelRun(id, by, reason, this.parts);
    // Stops work in this process that the cancellation made useless.
    if (!run.ended && (await this.#driver.endCancelled(id))) run = await loadRun(id, this.parts);
    for (const child of await this.parts.runs.list({ parent: id as RunId })) {
      if (!isEnded(child.status)) await this.cancel(child.id, by, reason);
    }
    return run;
  }

  signal(id: string, event: string, payload: Json, by: string): Promise<RunState> {
    return signalRun(id, { event, payload }, by, this.parts);
  }

  addBudget(id: string, amounts: Spend, by: string): Promise<RunState> {
    return addBudget(id, amounts, by, this.parts);
  }

  correct(id: string, text: string, by: string): Promise<RunState> {
    return correctRun(id, text, by, this.parts);
  }

  /** Undoes what the run and its descendants changed. */
  undo(id: string, by: string, options: { readonly force?: boolean } = {}): Promise<UndoReport> {
    return undoRun(id, by, { force: options.force ?? false }, this.parts);
  }

  /** Creates a run from before a step of another one, or finds the one of an earlier fork with the same key; drive it with `resume`. */
  fork(id: string, step: number, vars: JsonObject, start: KeyedStart = {}): Promise<RunId> {
    return forkRun(id, step, vars, this.parts, start).catch(async (error: unknown) => {
      if (!isOkaError(error, 'ledger.conflict') || start.id === undefined) throw error;
      return (await this.#startedBefore(start.id as RunId, start)).id;
    });
  }

  async explain(id: string): Promise<Explanation> {
    const explanation = explainRun(await this.events(id));
    if (explanation === undefined) throw await missingRun(id, this.parts.events);
    return explanation;
  }

  /** Replays the recorded evidence to the planner and compares its decisions. Runs no tools. */
  async replayDecisions(id: string): Promise<ReplayReport> {
    const events = await this.events(id);
    const run = await loadRun(id, this.parts);
    const kind = requireKind(run.kind, this.parts);
    return replayDecisions(events, kind, this.parts);
  }

  /** The graph that a run is pinned to. */
  async graphOf(run: RunState): Promise<StateGraph> {
    return pinnedGraph(run.pins, requireKind(run.kind, this.parts), this.parts);
  }

  async events(id: string): Promise<readonly LedgerEvent[]> {
    const events = await this.parts.events.read(runStream(id));
    if (events.length === 0) throw await missingRun(id, this.parts.events);
    return events;
  }

  /** What would change if the run were repinned. */
  async pinDifferences(id: string): Promise<readonly string[]> {
    const run = await loadRun(id, this.parts);
    return pinDifferences(run.pins, requireKind(run.kind, this.parts), this.parts);
  }

  /** Releases every run after its current step, so that another process can resume it. */
  async close(options?: ReleaseOptions): Promise<void> {
    await this.#driver.close(options);
  }

  async #newRun(
    request: RunRequest,
    owner: string | undefined,
  ): Promise<{ id: RunId; append: StreamAppend }> {
    const id = (request.id ?? this.parts.ids.next()) as RunId;
    const draft = await newRunEvent(
      {
        kind: request.kind,
        goal: request.goal,
        vars: request.vars ?? {},
        limits: { ...this.#limits, ...request.budgets },
        group: request.group,
        namedHosts: [...this.#namedHosts, ...(request.namedHosts ?? [])],
        lineage: { root: id, depth: 0, origin: request.origin ?? id },
        ...(request.graph ? { graph: request.graph } : {}),
        ...(request.subject === undefined ? {} : { subject: request.subject }),
        ...(request.asked === undefined ? {} : { asked: request.asked }),
        ...(request.untrusted ? { untrusted: true, untrustedFrom: request.untrustedFrom } : {}),
        ...(owner === undefined ? {} : { owner }),
      },
      this.parts,
    );
    return { id, append: { stream: runStream(id), expectedIndex: 0, events: [draft] } };
  }

  async #create(
    request: RunRequest,
    owner: string | undefined,
  ): Promise<{ readonly run: RunState; readonly isNew: boolean }> {
    const { id, append } = await this.#newRun(request, owner);
    const sync = owner === undefined ? 'full' : 'normal';
    const stored = await this.parts.events
      .commit({ actor: this.parts.actor, sync, appends: [append] })
      .catch((error: unknown) => {
        if (isOkaError(error, 'ledger.conflict') && request.asked !== undefined) return undefined;
        return reportUnknownStart(id)(error);
      });
    if (stored === undefined) return { run: await this.#startedBefore(id, request), isNew: false };
    const run = applyRunEvent(undefined, stored[0] as LedgerEvent);
    if (owner !== undefined) this.#driver.begin(run);
    if (this.parts.snapshotAlways) await this.parts.runs.saveSnapshot(run);
    return { run, isNew: true };
  }

  /** The run of an earlier start with the same key, which has to be a start of the same thing. */
  async #startedBefore(id: RunId, { asked }: KeyedStart): Promise<RunState> {
    const run = await loadRun(id, this.parts);
    if (run.asked === asked) return run;
    const message = `The key of this start belongs to run ${id}, which was started with another request. Use another key.`;
    throw new OkaError('engine.key_reused', message, { data: { run: id } });
  }

  async #checkPins(run: RunState, options: ResumeOptions): Promise<void> {
    const kind = requireKind(run.kind, this.parts);
    const differences = await pinDifferences(run.pins, kind, this.parts);
    const graph = options.repin ? options.graph : undefined;
    if (graph !== undefined && graph.hash !== run.pins.graph) {
      requireState(graph, run.id, run.state);
      differences.push(`graph: ${run.pins.graph} → ${graph.hash}`);
    }
    if (differences.length === 0) return;
    if (!options.repin) {
      throw new OkaError(
        'engine.pins_changed',
        `Run ${run.id} was started with other parts (${differences.join('; ')}). To continue with the current ones: oka runs resume ${run.id} --repin.`,
        { data: { run: run.id, differences } },
      );
    }
    const pinned = graph ?? (await pinnedGraph(run.pins, kind, this.parts));
    const pins = await currentPins(kind, pinned, this.parts);
    await commitToRun(run, [runEvent('run.repinned', { pins })], this.parts, {
      by: this.parts.actor,
      sync: 'full',
    });
  }
}

/** The ledger went away while a run was started, so what became of the run is not known. */
export const reportUnknownStart =
  (run: string) =>
  (cause: unknown): never => {
    if (!isOkaError(cause, 'ledger.unavailable')) throw cause;
    const message = `It is not known whether run ${run} was started: ${cause.message} Start it again with --key ${run}: if it was started, you get the same run.`;
    throw new OkaError('engine.start_unknown', message, { data: { run, key: run }, cause, transient: true });
  };

/** Fills missing stores with in-memory ones; an event store alone gets a run store that folds its events. */
function chooseStores(
  options: EngineOptions,
  clock: Clock,
  random: Random,
): { events: EventStore; runs: RunStore } {
  if (options.events === undefined) {
    const events = new MemoryEventStore({ clock, random, projections: [runProjection] });
    return { events, runs: options.runs ?? new MemoryRunStore(events.tables) };
  }
  return { events: options.events, runs: options.runs ?? new EventRunStore(options.events) };
}

const NO_HOOKS: Hooks = { has: () => false, run: async () => [] };
const NO_GRANTS: Grants = { of: () => [], add: async () => undefined };

function rememberPrograms(): KnownPrograms {
  const known = new Map<string, BoundFile>();
  return { get: (name) => known.get(name), put: (program) => void known.set(program.name, program) };
}

const ONLY_OWNER: Owners = { self: 'this process', isAlive: (owner) => owner === 'this process' };
