import { OkaError } from '../kernel/index.ts';

/** Budgets that a tree of runs shares; each run checks the others on its own. */
export const SHARED_BUDGETS = [
  'steps',
  'tool_calls',
  'model_calls',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'assumed_cost_usd',
  'retries',
  'children',
] as const;

/** Everything that can be limited. Users type these names. */
export const BUDGET_NAMES = [...SHARED_BUDGETS, 'wall_ms', 'wait_ms', 'node_retries', 'depth'] as const;

export type BudgetName = (typeof BUDGET_NAMES)[number];
export type BudgetLimits = { readonly [name in BudgetName]?: number };
/** Amounts used or reserved. */
export type Spend = { readonly [name in BudgetName]?: number };

/** Default limits of a run: enough for useful work, small enough to stop a runaway. */
export const DEFAULT_LIMITS: BudgetLimits = {
  steps: 1_000,
  tool_calls: 1_000,
  model_calls: 100,
  cost_usd: 5,
  retries: 50,
  node_retries: 2,
  children: 1_000,
  wall_ms: 3_600_000,
  depth: 8,
};

/** Sums of costs are not exact; a smaller difference is none. */
export const NO_AMOUNT = 1e-12;

/** Adds in place, because this is a hot path. */
export function addSpend(total: { [name in BudgetName]?: number }, more: Spend): void {
  for (const name in more) {
    const key = name as BudgetName;
    total[key] = (total[key] ?? 0) + (more[key] ?? 0);
  }
}

export function sumOf(one: Spend | undefined, other: Spend): Spend {
  const total: { [name in BudgetName]?: number } = { ...one };
  addSpend(total, other);
  return total;
}

/** The larger amount for each budget. */
export function largerOf(one: Spend, other: Spend): Spend {
  const larger: { [name in BudgetName]?: number } = { ...one };
  for (const key in other) {
    const name = key as BudgetName;
    larger[name] = Math.max(larger[name] ?? 0, other[name] ?? 0);
  }
  return larger;
}

/** Reads a plain object such as `{ steps: 10, cost_usd: 1 }`. Rejects unknown names and negative amounts. */
export function parseBudgets(input: Readonly<Record<string, unknown>>): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = {};
  for (const [name, amount] of Object.entries(input)) {
    const value = Number(amount);
    if (!isBudgetName(name) || !Number.isFinite(value) || value < 0) {
      throw new OkaError(
        'engine.invalid_budget',
        `Invalid budget "${name}=${String(amount)}": expected one of ${BUDGET_NAMES.join(', ')} with a number of 0 or more.`,
        { data: { name, amount: String(amount) } },
      );
    }
    limits[name] = value;
  }
  return limits;
}

function isBudgetName(name: string): name is BudgetName {
  return (BUDGET_NAMES as readonly string[]).includes(name);
}
