import { readOnly } from '../kernel/index.ts';
import { type BudgetLimits, type BudgetName, SHARED_BUDGETS } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { PlanInput } from './planner.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import type { ToolFace } from './tool.ts';

const SHOWN: readonly BudgetName[] = [...SHARED_BUDGETS, 'wall_ms'];

/** The planner's view of a run. Made from the fold alone, so that a replay makes the same. */
export class PlanView implements PlanInput {
  readonly goal: string;
  readonly state: string;
  readonly graph: StateGraph;
  readonly evidence: PlanInput['evidence'];
  readonly vars: PlanInput['vars'];
  readonly run: PlanInput['run'];
  readonly signal: AbortSignal;
  readonly repair?: NonNullable<PlanInput['repair']>;
  readonly #state: RunState;
  readonly #parts: Pick<EngineParts, 'tools'>;

  constructor(
    run: RunState,
    graph: StateGraph,
    parts: Pick<EngineParts, 'tools'>,
    signal: AbortSignal,
    repair?: PlanInput['repair'],
  ) {
    this.goal = run.goal;
    this.state = run.state;
    this.graph = graph;
    this.evidence = readOnly(run.evidence);
    this.vars = readOnly(run.vars);
    this.run = { id: run.id, origin: run.lineage.origin, step: run.step };
    this.signal = signal;
    if (repair) this.repair = repair;
    this.#state = run;
    this.#parts = parts;
  }

  get allTools(): readonly ToolFace[] {
    return this.#parts.tools.faces();
  }

  get eligibleTools(): readonly ToolFace[] {
    return this.allTools.filter((tool) => this.graph.eligible(this.state, tool));
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
