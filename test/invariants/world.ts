// Owns: one simulated machine: processes that die, people, time, and a store that outlives them. Does not own: what must
// hold (the test files say).
import {
  type ArtifactStore,
  Engine,
  MemoryArtifactStore,
  MemoryCache,
  MemoryRunStore,
  type RunState,
  type RunStore,
  runProjection,
  StateGraph,
} from '../../src/engine/index.ts';
import { isOkaError, type Json } from '../../src/kernel/index.ts';
import { type EventStore, LedgerEvent, MemoryEventStore } from '../../src/ledger/index.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { childrenTool } from './children-tool.ts';
import { HandlerLog } from './handler-log.ts';
import { LedgerModel } from './ledger-model.ts';
import { type MiddlewarePlan, makeMiddleware } from './middleware.ts';
import { type Death, MortalStore, ProcessGone, turn } from './mortal-store.ts';
import { PassingTime } from './passing-time.ts';
import { type PeopleWorld, type PersonMove, respond } from './people.ts';
import { Permissions } from './permissions.ts';
import { makePlanner } from './planners.ts';
import type { Intervention, Scenario } from './scenario.ts';
import { LARGEST_OUTPUT_BYTES, makeTool, type ToolWorld } from './tools.ts';
import { WholeClock } from './whole-clock.ts';

/** One question to a planner, and what it cost. */
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

/** What a world may share with others instead of having its own. */
export interface WorldParts {
  readonly clock?: ManualClock;
  readonly stores?: { readonly events: EventStore; readonly runs: RunStore };
  readonly artifacts?: ArtifactStore;
  readonly cache?: MemoryCache;
}

const ROOT = 'root';
const MOST_ROUNDS = 16;
const RATE_LIMITS = { 'tool.a': { calls: 1, intervalMs: 400 }, 'tool.b': { calls: 2, intervalMs: 90_000 } };

export class World implements PeopleWorld {
  readonly scenario: Scenario;
  readonly clock: ManualClock;
  readonly store: EventStore;
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly cache: MemoryCache;
  readonly model = new LedgerModel();
  readonly permissions: Permissions;
  readonly handlers: HandlerLog;
  /** An engine of somebody who only looks and decides; it drives nothing of its own accord. */
  readonly desk: Engine;
  readonly planned: PlannedCall[] = [];
  readonly added: PeopleWorld['added'] = [];
  readonly surprises: string[] = [];
  /** What came out of the engine although it should have become an outcome on record. */
  readonly escapes: string[] = [];
  /** The last state that the engine handed out, by run. */
  readonly live = new Map<string, RunState>();
  readonly processes: Process[] = [];
  deaths = 0;
  /** Runs that were not over when a process died or its store failed: each may have had one call under way. */
  cutOff = 0;
  readonly #time: PassingTime;
  readonly #alive = new Set<string>();
  #engines = 0;
  #background = 0;
  #failedStore = false;
  #later: (() => void)[] = [];

  constructor(scenario: Scenario, parts: WorldParts = {}) {
    this.scenario = scenario;
    this.clock = parts.clock ?? new WholeClock();
    this.#time = new PassingTime(this.clock, scenario.slowness);
    const { events, runs } = parts.stores ?? inMemory(this.clock);
    this.store = events;
    this.runs = runs;
    this.artifacts = parts.artifacts ?? new MemoryArtifactStore(this.clock);
    this.cache = parts.cache ?? new MemoryCache(this.clock);
    this.permissions = new Permissions(scenario);
    this.handlers = new HandlerLog(this.model, this.permissions);
    this.store.subscribe(this.model.see);
    this.desk = this.#makeEngine({ name: 'desk', dead: false }, this.store, []);
  }

  get calls(): HandlerLog['calls'] {
    return this.handlers.calls;
  }

  get agreements(): Permissions['agreements'] {
    return this.permissions.agreements;
  }

  get standing(): Permissions['standing'] {
    return this.permissions.standing;
  }

  /** Plays the whole scenario. Answers with the id of the run that was driven last. */
  async play(): Promise<string> {
    let process = this.#start();
    const request = { kind: 'script', goal: 'a goal', id: ROOT, budgets: this.scenario.limits };
    let current = await this.#drive(process, process.engine.run(request));
    const people = [...this.scenario.people];
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (process.store.dead) process = this.#start();
      else if (!this.#failedStore && !(await this.#someoneActs(people, round))) break;
      if (!this.model.runs.has(current ?? ROOT)) break;
      this.permissions.change();
      current = (await this.#drive(process, process.engine.resume(current ?? ROOT))) ?? current;
    }
    this.#doLater();
    await this.#rest();
    return current ?? ROOT;
  }

  /** The events, decoded afresh from their stored texts. */
  async events(stream?: string): Promise<LedgerEvent[]> {
    const stored =
      stream === undefined ? await this.store.readAfter(0, 1_000_000) : await this.store.read(stream);
    return stored.map((event) => new LedgerEvent(event));
  }

  // --- processes ---

  #start(): Process {
    const number = this.processes.length;
    const process = this.#newProcess(`process ${number + 1}`, this.scenario.deaths[number]);
    this.processes.push(process);
    if (this.scenario.helper) this.#startHelper();
    return process;
  }

  #newProcess(name: string, death: Death | undefined): Process {
    const { slowness, hiccups, middleware } = this.scenario;
    const store = new MortalStore(this.store, {
      death,
      hiccups: this.processes.length === 0 ? hiccups : [],
      slowness,
      onUse: this.#time.note,
    });
    const self = {
      name,
      get dead() {
        return store.dead;
      },
    };
    this.#alive.add(name);
    void store.gone.then(() => {
      this.#alive.delete(name);
      this.deaths += 1;
      this.#countCutOff();
    });
    return { name, store, engine: this.#makeEngine(self, store, middleware) };
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
    process: { readonly name: string; readonly dead: boolean },
    events: EventStore,
    middleware: readonly MiddlewarePlan[],
  ): Engine {
    const { planner, simulate, rateLimited, tools: plans } = this.scenario;
    const tools = [...plans.map((plan) => makeTool(plan, this.#toolWorld(process))), childrenTool];
    const seen = { tools: () => tools, later: (work: () => void) => void this.#later.push(work) };
    // A graph of the engine's own: what one planner does to it must not be seen by the next process, nor by the checks.
    const graph = new StateGraph(structuredClone(this.scenario.graph));
    return new Engine({
      tools,
      kinds: [{ name: 'script', graph, planner: makePlanner(planner, this.#notePlan) }],
      events,
      runs: this.runs,
      artifacts: this.artifacts,
      cache: this.cache,
      policy: this.permissions.policy,
      grants: this.permissions.grants,
      owners: { self: process.name, isAlive: (owner) => this.#alive.has(owner) },
      clock: this.clock,
      random: seededRandom(++this.#engines),
      middleware: middleware.map((plan) => makeMiddleware(plan, seen)),
      maxOutputBytes: LARGEST_OUTPUT_BYTES,
      rateLimits: rateLimited ? RATE_LIMITS : {},
      simulate,
    });
  }

  #inBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
    this.#background += 1;
    void work.catch(onError).finally(() => {
      this.#background -= 1;
    });
  }

  // --- tools and planners, seen from inside ---

  #toolWorld(process: { readonly name: string; readonly dead: boolean }): ToolWorld {
    return {
      begin: (plan, input: Json, context) => {
        this.#time.note();
        const begun = this.handlers.begin(process, plan, input, context);
        if (begun) this.#intervene(context.runId);
        return begun;
      },
      turn,
      wait: (ms) => new Promise((resolve) => void this.clock.callAt(this.clock.now() + ms, resolve)),
      now: () => this.clock.now(),
    };
  }

  #notePlan = (input: { readonly run: { readonly id: string } }, costUsd: number): void => {
    this.#time.note();
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
    const move = people.shift();
    const last = [...this.model.runs.values()].filter((run) => run.parent === undefined).at(-1);
    if (move === undefined || last?.ended === 'completed') return false;
    if (last?.ended !== undefined) return move === 'agree' || move === 'agree twice';
    const waiting = await this.#waitingRuns();
    const forSomebody = (run: RunState): boolean =>
      run.waiting?.for !== 'outcome' || run.waiting.pending.kind !== 'children';
    const chosen = waiting.find(forSomebody) ?? waiting[0];
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

  async #waitingRuns(): Promise<RunState[]> {
    const waiting: RunState[] = [];
    for (const id of this.model.runs.keys()) {
      const run = await this.desk.load(id);
      if (this.scenario.snapshots) await this.runs.saveSnapshot(run);
      if (run.ended === undefined && (run.waiting !== undefined || run.paused)) waiting.push(run);
    }
    return waiting;
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

  /** Lets time pass whenever nothing else happens, until the work is done or its process is dead. */
  async #drive(process: Process, work: Promise<RunState>): Promise<string | undefined> {
    let answer: string | undefined;
    let settled = false;
    this.#failedStore = false;
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
    const done = (): boolean => (settled && this.#background === 0) || process.store.dead;
    if (!(await this.#time.until(done))) this.escapes.push('the engine neither ends nor waits for anything');
    if (process.store.dead || this.#failedStore) await this.#rest();
    return answer;
  }

  async #patiently<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    if (!(await this.#time.until(() => settled))) throw new Error('a person waits for the engine in vain');
    return watched;
  }

  async #rest(): Promise<void> {
    if (!(await this.#time.rest())) this.escapes.push('the engine never rests');
  }

  #countCutOff(): void {
    this.cutOff += [...this.model.runs.values()].filter((run) => run.ended === undefined).length;
  }

  #noteEscape(error: unknown): void {
    if (error instanceof ProcessGone) return;
    if (isOkaError(error, 'ledger.busy')) {
      this.#failedStore = true;
      this.#countCutOff();
      return;
    }
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

function inMemory(clock: ManualClock): { readonly events: EventStore; readonly runs: RunStore } {
  const events = new MemoryEventStore({ clock, random: seededRandom(7), projections: [runProjection] });
  return { events, runs: new MemoryRunStore(events.tables) };
}

function describe(error: unknown): string {
  if (isOkaError(error)) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return typeof error;
  return (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ');
}
