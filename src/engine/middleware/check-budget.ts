import type { BudgetName } from '../budgets.ts';
import type { BuiltInMiddleware, DecisionContext, Ruling } from '../middleware.ts';

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
  const caps = graph.state(run.state).budgets;
  if (caps === undefined || decision.kind === 'transition') return undefined;
  for (const name of ['steps', 'tool_calls'] as const) {
    const cap = caps[name];
    if (cap !== undefined && run.stay[name] >= cap)
      return park(name, run.stay[name], cap, `state ${run.state}`);
  }
  return undefined;
}

function park(budget: BudgetName, used: number, limit: number, pool?: string): Ruling {
  const waiting = { for: 'budget', budget, used, limit, needed: 1 } as const;
  return { kind: 'park', waiting: pool === undefined ? waiting : { ...waiting, pool } };
}
