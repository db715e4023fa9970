// Owns: one simulated machine: processes that die, people, time, a store that outlives them, and notes of all that
// tools and planners saw. Does not own: what must hold (the test files say).
import {
  type ArtifactStore,
  type BudgetLimits,
  type ChildErrorPolicy,
  type ChildSpec,
  Engine,
  type Grant,
  MemoryArtifactStore,
  MemoryCache,
  MemoryRunStore,
  PendingAnswer,
  type Policy,
  type RunState,
  type RunStore,
  runProjection,
  StateGraph,
  type StateGraphSpec,
  type Tool,
  type ToolContext,
} from '../../src/engine/index.ts';
import { canonicalJson, isOkaError, type Json } from '../../src/kernel/index.ts';
import { type EventStore, LedgerEvent, MemoryEventStore } from '../../src/ledger/index.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type IntentFacts, LedgerModel } from './ledger-model.ts';
import { type MiddlewarePlan, makeMiddleware } from './middleware.ts';
import { type Death, MortalStore, ProcessGone, turn } from './mortal-store.ts';
import { type Agreement, type PeopleWorld, type PersonMove, respond, type StandingYes } from './people.ts';
import { CHILDREN_TOOL, makePlanner, type PlannerPlan } from './planners.ts';
import { own } from './state-graphs.ts';
import { type Conduct, LARGEST_OUTPUT_BYTES, makeTool, type ToolPlan } from './tools.ts';
import { WholeClock } from './whole-clock.ts';

export type Verdict = 'allow' | 'ask' | 'deny';
export type Intervention = 'pause' | 'cancel' | 'signal' | 'add budget';

export interface Scenario {
  readonly graph: StateGraphSpec;
  readonly tools: readonly ToolPlan[];
  readonly planner: PlannerPlan;
  readonly middleware: readonly MiddlewarePlan[];
  /** What policy says about each tool; the columns take turns whenever a process dies or a person has acted. */
  readonly verdicts: Readonly<Record<string, readonly Verdict[]>>;
  readonly limits: BudgetLimits;
  readonly people: readonly PersonMove[];
  /** Something that somebody does while the n-th handler is at work. */
  readonly interventions: readonly { readonly atCall: number; readonly what: Intervention }[];
  /** How each process in turn dies; one more than these lives on. */
  readonly deaths: readonly Death[];
  /** Turns of the event loop that each use of the store takes, before and after. */
  readonly slowness: number;
  /** A second process takes up child runs as soon as they appear. */
  readonly helper: boolean;
}

/** One call of a handler, as the handler saw it. */
export interface HandlerCall {
  readonly process: string;
  readonly plan: ToolPlan;
  readonly run: string;
  readonly step: number;
  readonly key: string;
  readonly input: string;
  readonly conduct: Conduct;
  /** The state that the run was in by its events. */
  readonly state: string | undefined;
  /** The intent that stood open for the run. */
  readonly intent: IntentFacts | undefined;
  readonly runEnded: boolean;
  readonly permission: 'free' | 'agreed' | 'standing' | 'missing' | 'forbidden';
  /** How far the ledger was. */
  readonly seq: number;
  /** What the handler gave, when it gave something that can be written down. */
  output?: string;
}

export interface PlannedCall {
  readonly run: string;
  readonly costUsd: number;
  /** How far the ledger was. */
  readonly seq: number;
}

export interface Process {
  readonly name: string;
  readonly store: MortalStore;
  readonly engine: Engine;
}

export interface Stores {
  readonly events: EventStore;
  readonly runs: RunStore;
}

/** What a world may share with others instead of having its own. */
export interface WorldParts {
  readonly clock?: ManualClock;
  readonly stores?: Stores;
  readonly artifacts?: ArtifactStore;
  readonly cache?: MemoryCache;
}

const ROOT = 'root';
const IDLE_TURNS = 8;
const MOST_JUMPS = 500;
const MOST_TURNS = 6_000;
const MOST_ROUNDS = 16;

export class World implements PeopleWorld {
  readonly scenario: Scenario;
  readonly clock: ManualClock;
  readonly store: EventStore;
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly cache: MemoryCache;
  readonly model = new LedgerModel();
  readonly desk: Engine;
  readonly calls: HandlerCall[] = [];
  readonly planned: PlannedCall[] = [];
  readonly agreements: Agreement[] = [];
  readonly standing: StandingYes[] = [];
  readonly added: PeopleWorld['added'] = [];
  readonly surprises: string[] = [];
  /** What came out of the engine although it should have become an outcome on record. */
  readonly escapes: string[] = [];
  /** Handlers that were begun by a process that was dead already, for an effect that the ledger knows nothing of. */
  readonly ghosts: string[] = [];
  /** The last state that the engine handed out, by run. */
  readonly live = new Map<string, RunState>();
  readonly processes: Process[] = [];
  readonly grants: Grant[] = [];
  deaths = 0;
  /** Runs that were not over when a process died: each may have had one call under way. */
  cutOff = 0;
  #alive = new Set<string>();
  #engines = 0;
  #activity = 0;
  #epoch = 0;
  #later: (() => void)[] = [];
  #background = 0;
  readonly #turnsOfTool = new Map<string, number>();

  constructor(scenario: Scenario, parts: WorldParts = {}) {
    this.scenario = scenario;
    this.clock = parts.clock ?? new WholeClock();
    const { events, runs } = parts.stores ?? inMemory(this.clock);
    this.store = events;
    this.runs = runs;
    this.artifacts = parts.artifacts ?? new MemoryArtifactStore(this.clock);
    this.cache = parts.cache ?? new MemoryCache(this.clock);
    this.store.subscribe(this.model.see);
    this.desk = this.#makeEngine('desk', this.store, ++this.#engines, []);
  }

  /** Plays the whole scenario. Answers with the id of the run that was driven last. */
  async play(): Promise<string> {
    let process = this.#start();
    let current = await this.#drive(
      process,
      process.engine.run({ kind: 'script', goal: 'a goal', id: ROOT, budgets: this.scenario.limits }),
    );
    const people = [...this.scenario.people];
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (process.store.dead) {
        this.#epoch += 1;
        process = this.#start();
      } else if (!(await this.#someoneActs(people, round))) break;
      if (!this.model.runs.has(current ?? ROOT)) break;
      current = (await this.#drive(process, process.engine.resume(current ?? ROOT))) ?? current;
    }
    this.#doLater();
    await this.#quiesce();
    return current ?? ROOT;
  }

  /** The events, decoded afresh from their stored texts. */
  async events(stream?: string): Promise<LedgerEvent[]> {
    const stored =
      stream === undefined ? await this.store.readAfter(0, 1_000_000) : await this.store.read(stream);
    return stored.map((event) => new LedgerEvent(event));
  }

  verdict(tool: string, state: string | undefined): Verdict {
    const column = this.scenario.verdicts[tool] ?? ['allow'];
    const verdict = column[this.#epoch % column.length] as Verdict;
    const asks = state !== undefined && own(this.scenario.graph, state)?.approval === 'always';
    return verdict === 'allow' && asks ? 'ask' : verdict;
  }

  // --- processes ---

  #start(): Process {
    const death = this.scenario.deaths[this.processes.length];
    const process = this.#newProcess(`process ${this.processes.length + 1}`, death);
    this.processes.push(process);
    if (this.scenario.helper) this.#startHelper();
    return process;
  }

  #newProcess(name: string, death: Death | undefined): Process {
    const store = new MortalStore(this.store, {
      death,
      onUse: this.#noteActivity,
      slowness: this.scenario.slowness,
    });
    const process: { name: string; store: MortalStore; engine: Engine } = {
      name,
      store,
      engine: undefined as never,
    };
    process.engine = this.#makeEngine(name, store, ++this.#engines, this.scenario.middleware, process);
    this.#alive.add(name);
    void store.gone.then(() => {
      this.#alive.delete(name);
      this.deaths += 1;
      this.cutOff += [...this.model.runs.values()].filter((run) => run.ended === undefined).length;
    });
    return process;
  }

  /** Takes up every second child as soon as it is there. */
  #startHelper(): void {
    const helper = this.#newProcess(`helper ${this.processes.length}`, undefined);
    this.store.subscribe((events) => {
      for (const event of events) {
        const lineage = event.data['lineage'] as { parent?: string } | undefined;
        if (event.type !== 'run.started' || lineage?.parent === undefined || event.seq % 2 === 0) continue;
        const id = event.stream.slice('run/'.length);
        this.#inBackground(helper.engine.resume(id), (error) => this.#noteEscape(error));
      }
    });
  }

  #makeEngine(
    name: string,
    events: EventStore,
    seed: number,
    middleware: readonly MiddlewarePlan[],
    process?: Process,
  ): Engine {
    const tools = this.#makeTools(process);
    const seen = { tools: () => tools, later: (work: () => void) => void this.#later.push(work) };
    // A graph of the engine's own: what one planner does to it must not be seen by the next process, nor by the checks.
    const graph = new StateGraph(structuredClone(this.scenario.graph));
    return new Engine({
      tools,
      kinds: [{ name: 'script', graph, planner: makePlanner(this.scenario.planner, this.#notePlan) }],
      events,
      runs: this.runs,
      artifacts: this.artifacts,
      cache: this.cache,
      policy: this.#policy,
      grants: { find: this.#findGrant, add: async (grant) => void this.grants.push(grant) },
      owners: { self: name, isAlive: (owner) => this.#alive.has(owner) },
      clock: this.clock,
      random: seededRandom(seed),
      middleware: middleware.map((plan) => makeMiddleware(plan, seen)),
      largestOutputBytes: LARGEST_OUTPUT_BYTES,
    });
  }

  #policy: Policy = {
    version: 'table/1',
    decide: ({ tool }) => {
      const column = this.scenario.verdicts[tool.name] ?? ['allow'];
      return {
        decision: column[this.#epoch % column.length] as Verdict,
        rule: 'table',
        why: 'the table says so',
      };
    },
  };

  #findGrant = (request: { readonly tool: string; readonly argumentsHash: string }): Grant | undefined =>
    this.grants.find(
      (grant) =>
        grant.tool === request.tool &&
        (grant.argumentsHash === undefined || grant.argumentsHash === request.argumentsHash),
    );

  #inBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
    this.#background += 1;
    void work.catch(onError).finally(() => {
      this.#background -= 1;
    });
  }

  // --- tools and planners, seen from inside ---

  #makeTools(process: Process | undefined): Tool[] {
    const world = {
      begin: (plan: ToolPlan, input: Json, context: ToolContext) =>
        this.#begin(process, plan, input, context),
      turn,
      now: () => this.clock.now(),
    };
    return [...this.scenario.tools.map((plan) => makeTool(plan, world)), childrenTool];
  }

  #begin(process: Process | undefined, plan: ToolPlan, input: Json, context: ToolContext) {
    this.#activity += 1;
    const facts = this.model.runs.get(context.runId);
    const intent = facts?.intents.find((candidate) => candidate.open);
    if (process?.store.dead) {
      if (plan.sideEffect !== 'read' && intent === undefined)
        this.ghosts.push(`${plan.name} in ${process.name}`);
      return undefined;
    }
    const turns = this.#turnsOfTool.get(plan.name) ?? 0;
    this.#turnsOfTool.set(plan.name, turns + 1);
    const conduct = plan.conduct[turns % plan.conduct.length] as Conduct;
    const written = writeDown(input) ?? 'unwritable';
    const call: HandlerCall = {
      process: process?.name ?? 'desk',
      plan,
      run: context.runId,
      step: context.step,
      key: context.idempotencyKey,
      input: written,
      conduct,
      state: facts?.state,
      intent,
      runEnded: facts?.ended !== undefined,
      permission: this.#permission(plan, context, facts?.state, written),
      seq: this.model.seq,
    };
    this.calls.push(call);
    this.#intervene(context.runId);
    const end = (output: unknown): void => {
      const text = writeDown(output ?? null);
      if (text !== undefined) call.output = text;
    };
    return { conduct, end };
  }

  #permission(
    plan: ToolPlan,
    context: ToolContext,
    state: string | undefined,
    input: string,
  ): HandlerCall['permission'] {
    const verdict = this.verdict(plan.name, state);
    if (verdict === 'deny') return 'forbidden';
    if (verdict === 'allow') return 'free';
    const agreement = this.agreements.find(
      (candidate) =>
        candidate.run === context.runId &&
        candidate.tool === plan.name &&
        candidate.input === input &&
        (candidate.usedBy === undefined || candidate.usedBy === context.step),
    );
    if (agreement) {
      agreement.usedBy = context.step;
      return 'agreed';
    }
    const standing = this.standing.some(
      (yes) =>
        yes.tool === plan.name && (yes.input === input || (yes.input === undefined && plan.risk === 'low')),
    );
    return standing ? 'standing' : 'missing';
  }

  #notePlan = (input: { readonly run: { readonly id: string } }, costUsd: number): void => {
    this.#activity += 1;
    this.planned.push({ run: input.run.id, costUsd, seq: this.model.seq });
    this.#doLater();
  };

  #doLater(): void {
    const work = this.#later;
    this.#later = [];
    for (const one of work) one();
  }

  // --- people ---

  #intervene(run: string): void {
    for (const { what } of this.scenario.interventions.filter(({ atCall }) => atCall === this.calls.length)) {
      this.#inBackground(this.#interveneWith(what, run), (error) => {
        if (!isOkaError(error)) this.#noteEscape(error);
      });
    }
  }

  async #interveneWith(what: Intervention, run: string): Promise<void> {
    switch (what) {
      case 'pause':
        await this.desk.pause(run, 'somebody');
        return;
      case 'cancel':
        await this.desk.cancel(run, 'somebody', 'no longer wanted');
        return;
      case 'signal':
        await this.desk.signal(run, 'go', { early: true }, 'somebody');
        return;
      case 'add budget':
        this.added.push({ run, budget: 'steps', amount: 1 });
        await this.desk.addBudget(run, { steps: 1 }, 'somebody');
        return;
    }
  }

  /** False when nothing is left that somebody could do. */
  async #someoneActs(people: PersonMove[], round: number): Promise<boolean> {
    const waiting: RunState[] = [];
    for (const id of this.model.runs.keys()) {
      const run = await this.desk.load(id);
      if (run.ended === undefined && (run.waiting !== undefined || run.paused)) waiting.push(run);
    }
    const last = [...this.model.runs.values()].filter((run) => run.parent === undefined).at(-1);
    const move = people.shift();
    if (move === undefined) return false;
    this.#epoch += 1;
    if (last?.ended === 'completed') return false;
    if (last?.ended !== undefined) return move === 'agree' || move === 'agree twice';
    const chosen =
      waiting.find((run) => run.waiting?.for !== 'outcome' || run.waiting.pending.kind !== 'children') ??
      waiting[0];
    if (chosen === undefined) return true;
    try {
      await this.#patiently(respond(this, chosen, move, round));
    } catch (error) {
      this.surprises.push(`${move}: ${describe(error)}`);
    }
    const { ended, paused, lineage } = await this.desk.load(chosen.id);
    if (lineage.parent !== undefined && (paused || ended)) await this.#resumeChild(chosen.id);
    return true;
  }

  /** Somebody wants a paused or ended child to go on by itself; the engine may refuse, in words. */
  async #resumeChild(id: string): Promise<void> {
    try {
      await this.#patiently(this.desk.resume(id, { patienceMs: 0 }));
    } catch (error) {
      if (!isOkaError(error)) this.#noteEscape(error);
    }
  }

  // --- time ---

  #noteActivity = (): void => {
    this.#activity += 1;
  };

  /** Lets time pass whenever nothing else happens, until the work is done or its process is dead. */
  async #drive(process: Process, work: Promise<RunState>): Promise<string | undefined> {
    let answer: string | undefined;
    let settled = false;
    void work.then(
      (run) => {
        settled = true;
        answer = run.id;
        this.live.set(run.id, run);
      },
      (error: unknown) => {
        settled = true;
        this.#noteEscape(error);
      },
    );
    const finished = await this.#passTime(() => (settled && this.#background === 0) || process.store.dead);
    if (!finished) this.escapes.push('the engine neither ends nor waits for anything');
    if (process.store.dead) await this.#quiesce();
    return answer;
  }

  async #patiently<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    if (!(await this.#passTime(() => settled))) throw new Error('a person waits for the engine in vain');
    return watched;
  }

  async #passTime(done: () => boolean): Promise<boolean> {
    let idle = 0;
    let jumps = 0;
    let turns = 0;
    for (let seen = -1; !done(); ) {
      await turn();
      if (++turns > MOST_TURNS) return false;
      if (this.#activity !== seen) {
        seen = this.#activity;
        idle = 0;
      } else if (++idle >= IDLE_TURNS + this.scenario.slowness * 4) {
        idle = 0;
        if (!this.clock.advanceToNext() || ++jumps > MOST_JUMPS) return false;
      }
    }
    return true;
  }

  /** Waits until nothing moves, without letting time pass. */
  async #quiesce(): Promise<void> {
    let turns = 0;
    for (let idle = 0, seen = -1; idle < IDLE_TURNS + this.scenario.slowness * 4; idle++) {
      await turn();
      if (++turns > MOST_TURNS) return void this.escapes.push('the engine never rests');
      if (this.#activity !== seen) {
        seen = this.#activity;
        idle = 0;
      }
    }
  }

  #noteEscape(error: unknown): void {
    if (error instanceof ProcessGone) return;
    if (this.scenario.helper && isOkaError(error, 'engine.run_owned')) return;
    this.escapes.push(describe(error));
  }
}

/** Plays a scenario, in memory unless told otherwise, and hands over the world as it is afterwards. */
export async function play(scenario: Scenario, parts?: WorldParts): Promise<World> {
  const world = new World(scenario, parts);
  await world.play();
  return world;
}

function inMemory(clock: ManualClock): Stores {
  const events = new MemoryEventStore({ clock, random: seededRandom(7), projections: [runProjection] });
  return { events, runs: new MemoryRunStore(events.tables) };
}

function writeDown(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  if (isOkaError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ')
    : typeof error;
}

/** Starts child runs as its input says. */
const childrenTool: Tool = {
  name: CHILDREN_TOOL,
  version: '1',
  description: 'starts child runs',
  input: {
    check: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) =>
          Array.isArray((value as { children?: unknown } | null)?.children)
            ? { value }
            : { issues: [{ message: 'no children' }] },
      },
    },
    json: () => ({}),
  },
  annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
  sideEffect: 'read',
  handler: (input) => {
    const { children, concurrency, onError } = input as {
      children: ChildSpec[];
      concurrency: number;
      onError: ChildErrorPolicy;
    };
    return new PendingAnswer({ kind: 'children', children, concurrency, onError });
  },
};
