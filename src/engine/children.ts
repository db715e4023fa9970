import type { Failure } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { BUDGET_NAMES, type BudgetLimits, type BudgetName, type Spend } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ParkRequest } from './middleware.ts';
import { keptGraph, newRunEvent } from './new-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import type { ChildSpec, Pending, RunId } from './types.ts';

/** Why children could not be started; with `park` the run may wait for more room. */
export interface RefusedChildren {
  readonly failure: Failure;
  readonly park?: ParkRequest;
}

/** There is no room for children, or others have taken it between the check and the commit. */
export class NoRoom extends Error {
  readonly refused: RefusedChildren;
  constructor(refused: RefusedChildren) {
    super(refused.failure.message);
    this.refused = refused;
  }
}

/**
 * Prepares child runs: created in the parent's own commit, pending until somebody drives them. Throws `NoRoom`, and so
 * does asking for the appends.
 */
export async function startChildren(
  pending: Extract<Pending, { kind: 'children' }>,
  parent: RunState,
  spending: Spend,
  account: BudgetAccount,
  parts: EngineParts,
): Promise<{ readonly ids: readonly RunId[]; readonly appends: () => readonly StreamAppend[] }> {
  const depth = parent.lineage.depth + 1;
  const deepest = parent.limits.depth;
  if (deepest !== undefined && depth > deepest) {
    const message = `child runs may be ${deepest} deep, and this would be ${depth}; raise the budget "depth" or flatten the work.`;
    throw new NoRoom({ failure: { code: 'engine.budget_exhausted', message } });
  }
  const count = pending.children.length;
  const requireRoom = (): void => {
    const own = account.own(parent, 'children');
    const free = account.shared ? Math.min(own, account.available(parent.id, 'children')) : own;
    if (free >= count) return;
    const used = parent.used.children ?? 0;
    const limit = parent.limits.children ?? used;
    const message = `${count} child runs were asked for and ${Math.max(0, free)} are left.`;
    const park: ParkRequest = { for: 'budget', budget: 'children', used, limit, needed: count - free };
    throw new NoRoom({ failure: { code: 'engine.budget_exhausted', message }, park });
  };
  requireRoom();
  const ids = pending.children.map(() => parts.ids.next() as RunId);
  const starts = await Promise.all(
    pending.children.map(async (child, i): Promise<StreamAppend> => {
      const draft = await newRunEvent(
        {
          kind: child.kind,
          goal: child.goal,
          vars: child.vars ?? {},
          limits: childLimits(child, parent, spending),
          untrusted: parent.untrusted,
          ...(child.graph === undefined ? {} : { graph: await keptGraph(child.graph, parts) }),
          ...(child.subject === undefined ? {} : { subject: child.subject }),
          lineage: { parent: parent.id, root: parent.lineage.root, depth, origin: originOf(parent, i) },
        },
        parts,
      );
      return { stream: runStream(ids[i] as string), expectedIndex: 0, events: [draft] };
    }),
  );
  const appends = (): readonly StreamAppend[] => {
    requireRoom();
    const spent = { ...spending, children: count };
    return [
      ...(account.shared ? [] : [account.open(parent, spending)]),
      ...present(account.reserve(parent.id, { children: count })),
      account.branch(parent, ids),
      ...present(account.giveBack(parent, spent, false)),
      ...starts,
    ];
  };
  return { ids, appends };
}

function present(append: StreamAppend | undefined): StreamAppend[] {
  return append ? [append] : [];
}

/** The same for the same child of the same visit, also when its parent goes on in a new run. */
function originOf({ lineage, state, visits }: RunState, child: number): string {
  return `${lineage.origin}/${state}.${visits[state] ?? 1}.${child}`;
}

/** A child gets what it asks for, at most what its parent has left. */
function childLimits(child: ChildSpec, parent: RunState, spending: Spend): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = {};
  for (const name of BUDGET_NAMES) {
    const whole = parent.limits[name];
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
