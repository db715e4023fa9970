import { type Digest, type Json, OkaError, shallowReadOnly } from '../kernel/index.ts';
import { type BudgetLimits, type BudgetName, SHARED_BUDGETS } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { PlanInput, Visit } from './planner.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import type { ToolFace } from './tool.ts';

const SHOWN: readonly BudgetName[] = [...SHARED_BUDGETS, 'wall_ms', 'wait_ms', 'node_retries'];

/** The planner's view of a run. Built from the fold alone, so that a replay builds the same. */
export class PlanView implements PlanInput {
  readonly goal: string;
  readonly state: string;
  readonly graph: StateGraph;
  readonly vars: PlanInput['vars'];
  readonly run: PlanInput['run'];
  readonly repair?: NonNullable<PlanInput['repair']>;
  readonly recorded?: NonNullable<PlanInput['recorded']> | null;
  /** Set between `estimate` and `plan`. */
  reserved?: NonNullable<PlanInput['reserved']>;
  reserve?: NonNullable<PlanInput['reserve']>;
  readonly #state: RunState;
  readonly #stop: { readonly signal: AbortSignal };
  readonly #parts: Pick<EngineParts, 'tools' | 'artifacts'>;
  #evidence: PlanInput['evidence'] | undefined;
  #latest: PlanInput['latest'] | undefined;

  constructor(
    run: RunState,
    graph: StateGraph,
    parts: Pick<EngineParts, 'tools' | 'artifacts'>,
    stop: { readonly signal: AbortSignal },
    again?: Pick<PlanInput, 'repair' | 'recorded'>,
  ) {
    this.goal = run.goal;
    this.state = run.state;
    this.graph = graph;
    this.vars = run.vars;
    this.run = { id: run.id, origin: run.lineage.origin, step: run.step };
    this.#stop = stop;
    if (again?.repair) this.repair = again.repair;
    if (again?.recorded !== undefined) this.recorded = again.recorded;
    this.#state = run;
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get evidence(): PlanInput['evidence'] {
    this.#evidence ??= shallowReadOnly(this.#state.evidence);
    return this.#evidence;
  }

  get visit(): Visit {
    const { stay, visits, state } = this.#state;
    return { count: visits[state] ?? 1, since: stay.since, last: stay.last };
  }

  get latest(): PlanInput['latest'] {
    this.#latest ??= shallowReadOnly(this.#state.latest);
    return this.#latest;
  }

  get allTools(): readonly ToolFace[] {
    return this.#parts.tools.faces();
  }

  get eligibleTools(): readonly ToolFace[] {
    return this.allTools.filter((tool) => this.graph.eligible(this.state, tool));
  }

  async whole(artifact: Digest): Promise<Json> {
    const bytes = await this.#parts.artifacts.get(artifact);
    if (bytes !== undefined) return JSON.parse(new TextDecoder().decode(bytes)) as Json;
    throw new OkaError(
      'engine.artifact_missing',
      `The output ${artifact} is missing, so the run cannot use it.`,
    );
  }

  get budgets(): BudgetLimits {
    const left: { [name in BudgetName]?: number } = {};
    for (const name of SHOWN) {
      const limit = this.#state.limits[name];
      if (limit === undefined) continue;
      left[name] = limit - (name === 'wall_ms' ? this.#state.activeMs : (this.#state.used[name] ?? 0));
    }
    return left;
  }
}
