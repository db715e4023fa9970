import { type Failure, sameJson } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { BUDGET_NAMES, type BudgetLimits, type BudgetName, type Spend } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ParkRequest } from './middleware.ts';
import { loadGraph, newRunEvent } from './new-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import type { ReadMarks } from './step-events.ts';
import type { CallTool, ChildSpec, Evidence, Pending, RunId } from './types.ts';

/** Why children could not be started; with `park` the run can wait for more budget. */
export interface ChildrenRefusal {
  readonly failure: Failure;
  readonly park?: ParkRequest;
}

/** The budget for children is too small, or another run used it between the check and the commit. */
export class ChildrenRefused extends Error {
  readonly refused: ChildrenRefusal;
  constructor(refused: ChildrenRefusal) {
    super(refused.failure.message);
    this.refused = refused;
  }
}

/** The run that starts children, the call that starts them, and what it has read. */
interface ParentOfChildren {
  readonly run: RunState;
  readonly call: CallTool;
  readonly read: ReadMarks;
}

/**
 * Prepares child runs: created in the parent's own commit, pending until a driver takes them. Both this call and
 * `appends` throw `ChildrenRefused`.
 */
export async function startChildren(
  pending: Extract<Pending, { kind: 'children' }>,
  { run: parent, call, read }: ParentOfChildren,
  spending: Spend,
  account: BudgetAccount,
  parts: EngineParts,
): Promise<{ readonly ids: readonly RunId[]; readonly appends: () => readonly StreamAppend[] }> {
  const depth = parent.lineage.depth + 1;
  const maxDepth = parent.limits.depth;
  if (maxDepth !== undefined && depth > maxDepth) {
    const message = `The limit for nested child runs is ${maxDepth}, and this one would be at depth ${depth}. Raise the budget "depth" or flatten the work.`;
    throw new ChildrenRefused({ failure: { code: 'engine.budget_exhausted', message } });
  }
  const count = pending.children.length;
  const requireBudget = (): void => {
    const own = account.own(parent, 'children');
    const free = account.shared ? Math.min(own, account.available(parent.id, 'children')) : own;
    if (free >= count) return;
    const used = parent.used.children ?? 0;
    const limit = parent.limits.children ?? used;
    const message = `${count} child runs were requested and ${Math.max(0, free)} are left.`;
    const park: ParkRequest = { for: 'budget', budget: 'children', used, limit, needed: count - free };
    throw new ChildrenRefused({ failure: { code: 'engine.budget_exhausted', message }, park });
  };
  requireBudget();
  const ids = pending.children.map(() => parts.ids.next() as RunId);
  const origin = originOf(parent, call);
  const starts = await Promise.all(
    pending.children.map(async (child, i): Promise<StreamAppend> => {
      const graph = child.graph === undefined ? undefined : await loadGraph(child.graph, parts);
      const draft = await newRunEvent(
        {
          kind: child.kind,
          goal: child.goal,
          vars: child.vars ?? {},
          limits: childLimits(child, parent, spending),
          untrusted: parent.untrusted || read.untrusted === true,
          untrustedFrom: read.untrustedFrom,
          // A planner wrote its goal and a file its graph, so neither of them names a host.
          namedHosts: parent.namedHosts ?? [],
          group: parent.group,
          ...(graph === undefined ? {} : { graph }),
          ...(child.subject === undefined ? {} : { subject: child.subject }),
          lineage: { parent: parent.id, root: parent.lineage.root, depth, origin: `${origin}.${i}` },
        },
        parts,
      );
      return { stream: runStream(ids[i] as string), expectedIndex: 0, events: [draft] };
    }),
  );
  const appends = (): readonly StreamAppend[] => {
    requireBudget();
    const spent = { ...spending, children: count };
    return [
      ...(account.shared ? [] : [account.open(parent, spending)]),
      ...present(account.reserve(parent.id, { children: count })),
      account.branch(parent, ids, spent),
      ...present(account.returnUnused(parent, spent, false)),
      ...starts,
    ];
  };
  return { ids, appends };
}

function present(append: StreamAppend | undefined): StreamAppend[] {
  return append ? [append] : [];
}

/** Stable for the same call of the same visit, also when it is repeated after a failure or its parent continues in a new run. */
function originOf({ lineage, state, visits, evidence, stay }: RunState, { tool, input }: CallTool): string {
  const results = evidence.slice(stay.since).filter(({ source }) => source === 'tool');
  const isFailedAttempt = (one: Evidence | undefined): boolean =>
    one?.failure !== undefined && one.tool === tool && sameJson(one.input, input);
  while (isFailedAttempt(results.at(-1))) results.pop();
  const place = results.length === 0 ? '' : `#${results.length + 1}`;
  return `${lineage.origin}/${state}.${visits[state] ?? 1}${place}`;
}

/** A child gets what it asks for, up to what its parent has left. */
function childLimits(child: ChildSpec, parent: RunState, spending: Spend): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = {};
  for (const name of BUDGET_NAMES) {
    // Only the run that a host drives waits for a busy model; a child fails and its parent decides.
    const whole = name === 'wait_ms' ? undefined : parent.limits[name];
    const left =
      whole === undefined || name === 'depth' || name === 'node_retries'
        ? whole
        : spare(name, whole, parent, spending);
    const asked = child.budgets?.[name];
    if (left === undefined && asked === undefined) continue;
    limits[name] = Math.min(left ?? Number.POSITIVE_INFINITY, asked ?? Number.POSITIVE_INFINITY);
  }
  return limits;
}

function spare(name: BudgetName, whole: number, parent: RunState, spending: Spend): number {
  const used = name === 'wall_ms' ? parent.activeMs : (parent.used[name] ?? 0) + (spending[name] ?? 0);
  return Math.max(0, whole - used);
}
