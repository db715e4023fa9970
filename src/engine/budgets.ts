import { OkaError } from '../kernel/index.ts';

/** Everything that can be capped. Names are the ones people type. */
export const BUDGET_NAMES = [
  'steps',
  'tool_calls',
  'model_calls',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'retries',
  'children',
  'wall_ms',
  'node_retries',
  'depth',
] as const;

export type BudgetName = (typeof BUDGET_NAMES)[number];
export type BudgetLimits = { readonly [name in BudgetName]?: number };
/** Amounts used or set aside. */
export type Spend = { readonly [name in BudgetName]?: number };

/** Budgets that a tree of runs draws from one account; the others are checked by each run on its own. */
export const SHARED_BUDGETS = [
  'steps',
  'tool_calls',
  'model_calls',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'retries',
  'children',
] as const satisfies readonly BudgetName[];

/** What a run gets when nobody says otherwise: enough to be useful, too little to run away. */
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

/** Adds in place; used on the hot path. */
export function addSpend(total: { [name in BudgetName]?: number }, more: Spend): void {
  for (const name in more) {
    const key = name as BudgetName;
    total[key] = (total[key] ?? 0) + (more[key] ?? 0);
  }
}

/** The sum of two amounts. */
export function sumOf(one: Spend | undefined, other: Spend): Spend {
  const total: { [name in BudgetName]?: number } = { ...one };
  addSpend(total, other);
  return total;
}

/** For each budget the larger of two amounts. */
export function largerOf(one: Spend, other: Spend): Spend {
  const larger: { [name in BudgetName]?: number } = { ...one };
  for (const key in other) {
    const name = key as BudgetName;
    larger[name] = Math.max(larger[name] ?? 0, other[name] ?? 0);
  }
  return larger;
}

/** Reads `steps=10,cost_usd=1` or a plain object. Refuses unknown names and amounts that are not positive. */
export function parseBudgets(input: Readonly<Record<string, unknown>>): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = {};
  for (const [name, amount] of Object.entries(input)) {
    const value = Number(amount);
    if (!isBudgetName(name) || !Number.isFinite(value) || value < 0) {
      throw new OkaError(
        'engine.invalid_budget',
        `"${name}=${String(amount)}" is not a budget; use one of ${BUDGET_NAMES.join(', ')} with a number of 0 or more.`,
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
