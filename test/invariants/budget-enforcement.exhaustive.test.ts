import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BudgetLimits } from '../../src/engine/index.ts';
import type { RunFacts } from './ledger-model.ts';
import { playOnDisk } from './on-disk.ts';
import { CHILDREN_TOOL, type ChildChoice, type Script } from './planners.ts';
import { NOTHING_HAPPENS, type Scenario } from './scenario.ts';
import { type Happenings, scenarios } from './scenarios.ts';
import { holdsFor, ON_DISK } from './sequences.ts';
import type { ToolPlan } from './tools.ts';
import { play, type World } from './world.ts';

type Counted = 'steps' | 'tool_calls' | 'retries' | 'children' | 'cost_usd';

/** What runs have really used, by what tools, planners and the ledger saw; ends of runs are free. */
function usedBy(world: World, runs: readonly RunFacts[]): Record<Counted, number> {
  const ids = new Set(runs.map((run) => run.id));
  const calls = world.calls.filter((call) => ids.has(call.run));
  const starts = runs
    .flatMap((run) => run.calls)
    .filter((call) => call.tool === CHILDREN_TOOL && call.outcome === 'pending');
  return {
    steps: sum(runs.map((run) => run.steps)),
    tool_calls: calls.length + starts.length,
    retries: sum(attemptsByCall(world, ids).map((attempts) => attempts - 1)),
    children: runs.filter((run) => run.parent !== undefined).length,
    cost_usd: sum(world.planned.filter(({ run }) => ids.has(run)).map(({ costUsd }) => costUsd)),
  };
}

function attemptsByCall(world: World, runs: ReadonlySet<string>): number[] {
  const attempts = new Map<string, number>();
  for (const { run, step } of world.calls) {
    if (runs.has(run)) attempts.set(`${run} ${step}`, (attempts.get(`${run} ${step}`) ?? 0) + 1);
  }
  return [...attempts.values()];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/**
 * What deaths may cost beyond a limit: in each run, the one call that was under way and left no trace, with its
 * retries, and the answers of a model to one question, of which there may be two. What a person tells to be tried
 * again is theirs.
 */
function tolerance(world: World, name: Counted): number {
  const retried = sum(
    [...world.model.runs.values()].flatMap((run) => run.intents.map((intent) => intent.retriesGranted)),
  );
  const price = world.scenario.planner.costUsd;
  const retries = world.scenario.limits.node_retries ?? 0;
  const perDeath: Record<Counted, number> = {
    steps: 0,
    tool_calls: 1 + retries,
    retries: 1 + retries,
    children: 0,
    cost_usd: 2 * price,
  };
  return world.cutOff * perDeath[name] + (name === 'tool_calls' || name === 'retries' ? retried : 0);
}

function added(world: World, name: string, runs?: ReadonlySet<string>): number {
  return sum(
    world.added
      .filter((gift) => gift.budget === name && (runs?.has(gift.run) ?? true))
      .map((gift) => gift.amount),
  );
}

/** Limits that were passed: by everything together, or by one run with all that is below it. */
function overruns(world: World): string[] {
  const { limits } = world.scenario;
  const runs = [...world.model.runs.values()];
  const found: string[] = [];
  const total = usedBy(world, runs);
  for (const name of Object.keys(total) as Counted[]) {
    const limit = (limits[name] ?? Number.POSITIVE_INFINITY) + added(world, name) + tolerance(world, name);
    if (total[name] > limit) found.push(`${name}: ${total[name]} used of ${limit}`);
  }
  for (const run of runs.filter(({ parent }) => parent !== undefined)) {
    const below = world.model.subtree(run.id);
    const ids = new Set(below.map(({ id }) => id));
    const used = usedBy(world, below);
    for (const name of ['steps', 'tool_calls', 'children'] as const) {
      const own = name === 'children' ? used.children - 1 : used[name];
      const limit =
        (run.limits[name] ?? Number.POSITIVE_INFINITY) + added(world, name, ids) + tolerance(world, name);
      if (own > limit) found.push(`${name} of child ${run.id}: ${own} used of ${limit}`);
    }
    if (run.depth > (limits.depth ?? 0)) found.push(`depth ${run.depth} of ${limits.depth}`);
  }
  const most = 1 + (limits.node_retries ?? 0) + world.deaths + tolerance(world, 'retries');
  for (const attempts of attemptsByCall(world, new Set(world.model.runs.keys()))) {
    if (attempts > most) found.push(`${attempts} attempts at one call of ${most}`);
  }
  return found;
}

/** Runs that stopped at a budget again although it was raised by what was missing and nobody has used it since. */
async function stuckRuns(world: World): Promise<string[]> {
  const found: string[] = [];
  let exhausted: { stream: string; budget: string; needed: number; raisedAt?: number } | undefined;
  for (const event of await world.events()) {
    if (event.type === 'budget.exhausted') {
      const { budget, needed } = event.data as { budget: string; needed: number };
      const again = exhausted?.stream === event.stream && exhausted.budget === budget;
      if (
        again &&
        exhausted?.raisedAt !== undefined &&
        !wasSpent(world, budget, exhausted.raisedAt, event.seq)
      ) {
        found.push(`${event.stream} stopped at ${budget} again right after ${exhausted.needed} were added`);
      }
      exhausted = { stream: event.stream, budget, needed };
    } else if (event.type === 'run.budget_added' && event.stream === exhausted?.stream) {
      const amounts = event.data['amounts'] as Record<string, number>;
      if ((amounts[exhausted.budget] ?? 0) >= exhausted.needed) exhausted.raisedAt = event.seq;
    } else if (TAKES_FROM_BUDGETS.test(event.type)) exhausted = undefined;
  }
  return found;
}

// A reservation was under way when the process died: it is charged.
const TAKES_FROM_BUDGETS = /^(step|tool|model\.reserved|question|approval|run\.(completed|failed|cancelled))/;

/** Money is spent by asking, whatever comes of the answer. */
function wasSpent(world: World, budget: string, from: number, to: number): boolean {
  const onModels = budget === 'cost_usd' || budget === 'model_calls';
  return onModels && world.planned.some(({ seq }) => seq >= from && seq < to);
}

const limits: fc.Arbitrary<BudgetLimits> = fc.record({
  steps: fc.integer({ min: 1, max: 16 }),
  tool_calls: fc.integer({ min: 1, max: 12 }),
  retries: fc.integer({ min: 0, max: 4 }),
  node_retries: fc.integer({ min: 0, max: 2 }),
  children: fc.integer({ min: 0, max: 5 }),
  depth: fc.integer({ min: 0, max: 3 }),
  cost_usd: fc.integer({ min: 1, max: 8 }),
  model_calls: fc.constant(100),
});

const TREES: Happenings = {
  conduct: ['honest', 'failing', 'waiting'],
  moves: ['work', 'people', 'children', 'garbage', 'tamper', 'end'],
  people: true,
  interventions: true,
  deaths: true,
  slowness: true,
  hiccups: true,
  rateLimits: true,
  snapshots: true,
  helper: true,
  costs: true,
  limits,
};

async function staysWithin(world: World): Promise<void> {
  expect(overruns(world)).toEqual([]);
  expect(await stuckRuns(world)).toEqual([]);
}

it('keeps whole trees of runs within their budgets, across processes, crashes and raised limits', async () => {
  await holdsFor(scenarios(TREES), async (scenario) => staysWithin(await play(scenario)));
});

it('keeps whole trees of runs within their budgets on a real ledger', async () => {
  await holdsFor(scenarios(TREES), (scenario) => playOnDisk(scenario, staysWithin), ON_DISK);
});

it('keeps runs within their budgets, whatever middleware and tools do', async () => {
  const sequences = scenarios({
    conduct: ['honest', 'failing', 'hostile', 'garbage'],
    moves: ['work'],
    middleware: true,
    people: true,
    limits,
  });
  await holdsFor(sequences, async (scenario) => staysWithin(await play(scenario)));
});

it('stops a planner that does not declare its cost beforehand, one answer late at most', async () => {
  const sequences = fc
    .record({
      scenario: scenarios({
        conduct: ['honest', 'failing'],
        moves: ['work', 'people'],
        people: true,
        limits,
      }),
      estimates: fc.constantFrom('too little' as const, 'not at all' as const),
    })
    .map(({ scenario, estimates }) => ({
      ...scenario,
      planner: { ...scenario.planner, costUsd: 1, estimates },
    }));
  await holdsFor(sequences, async (scenario) => {
    const world = await play(scenario);
    const spent = usedBy(world, [...world.model.runs.values()]).cost_usd;
    expect(spent).toBeLessThanOrEqual((scenario.limits.cost_usd ?? 0) + added(world, 'cost_usd') + 1);
  });
});

/** A tool that is always busy, called once: by a run of its own, or by the child of one. */
function busyTool(budgets: BudgetLimits, inChild: boolean): Scenario {
  const call: Script = [{ do: 'call', tool: 0, eligible: true, input: 'fresh' }, { do: 'finish' }];
  const child: ChildChoice = { script: 1, budgets: undefined };
  const parent: Script = [
    { do: 'children', children: [child], concurrency: 1, onError: 'collect' },
    { do: 'finish' },
  ];
  const tool: ToolPlan = {
    name: 'tool.a',
    version: '1',
    sideEffect: 'read',
    idempotent: true,
    cacheable: false,
    destructive: false,
    risk: 'low',
    input: 'anything',
    output: undefined,
    conduct: ['throw transient'],
  };
  return {
    ...NOTHING_HAPPENS,
    graph: {
      name: 'one state',
      start: 'start',
      states: {
        start: { to: ['done'], tools: { names: ['tool.a', CHILDREN_TOOL] } },
        done: { terminal: 'completed' },
      },
    },
    tools: [tool],
    planner: { scripts: inChild ? [parent, call] : [call], costUsd: 0, estimates: 'right' },
    limits: { ...budgets, steps: 50, tool_calls: 50, children: 5, depth: 2 },
  };
}

it('retries in a child as often as in a run of its own', async () => {
  const sequences = fc.record({ retries: fc.nat(4), node_retries: fc.nat(3) });
  await holdsFor(sequences, async (budgets) => {
    const alone = await play(busyTool(budgets, false));
    const inChild = await play(busyTool(budgets, true));
    expect(alone.calls.length).toBe(1 + Math.min(budgets.retries, budgets.node_retries));
    expect(inChild.calls.length).toBe(alone.calls.length);
  });
});
