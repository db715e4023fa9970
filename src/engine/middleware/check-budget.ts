import type { BudgetName } from '../budgets.ts';
import type { BuiltInMiddleware, DecisionContext, Ruling } from '../middleware.ts';
import type { RunState } from '../run-state.ts';
import type { StateGraph } from '../state-graph.ts';

/** Allows a decision only while every budget it uses has enough left. Ending a run is always allowed. */
export const checkBudget: BuiltInMiddleware = {
  name: 'budget',
  checkDecision(context) {
    const { decision } = context;
    if (decision.kind === 'finish' || decision.kind === 'fail') return undefined;
    return (
      missing(context, 'steps') ??
      (decision.kind === 'call_tool' ? missing(context, 'tool_calls') : undefined) ??
      overTime(context) ??
      overStay(context)
    );
  },
};

function missing({ run, balance }: DecisionContext, budget: BudgetName): Ruling | undefined {
  const used = run.used[budget] ?? 0;
  return balance(budget) >= 1 ? undefined : park(budget, used, run.limits[budget] ?? used);
}

function overTime({ run, activeMs }: DecisionContext): Ruling | undefined {
  const limit = run.limits.wall_ms;
  return limit === undefined || activeMs < limit ? undefined : park('wall_ms', activeMs, limit);
}

function overStay({ run, graph, decision }: DecisionContext): Ruling | undefined {
  if (decision.kind === 'transition') return undefined;
  for (const name of ['steps', 'tool_calls'] as const) {
    const left = leftOfVisit(run, graph, name);
    if (left < 1) return park(name, run.stay[name], run.stay[name] + left, `state ${run.state}`);
  }
  return undefined;
}

/** What the limit of the current state leaves for this visit. Infinity without a limit. */
export function leftOfVisit(
  { state, stay }: Pick<RunState, 'state' | 'stay'>,
  graph: StateGraph,
  name: 'steps' | 'tool_calls',
): number {
  return (graph.state(state).budgets?.[name] ?? Number.POSITIVE_INFINITY) - stay[name];
}

function park(budget: BudgetName, used: number, limit: number, pool?: string): Ruling {
  const needed = Math.max(1, used - limit + 1);
  const waiting = { for: 'budget', budget, used, limit, needed } as const;
  return { kind: 'park', waiting: pool === undefined ? waiting : { ...waiting, pool } };
}
