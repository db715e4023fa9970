import type { Failure } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { BUDGET_NAMES, type BudgetLimits, type BudgetName, type Spend } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ParkRequest } from './middleware.ts';
import { newRunEvent } from './new-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import type { ChildSpec, Pending, RunId } from './types.ts';

type Started =
  | { readonly ids: readonly RunId[]; readonly appends: () => readonly StreamAppend[] }
  | { readonly refused: { readonly failure: Failure; readonly park?: ParkRequest } };

/** Prepares child runs: created in the parent's own commit, pending until somebody drives them. */
export async function startChildren(
  pending: Extract<Pending, { kind: 'children' }>,
  parent: RunState,
  spending: Spend,
  account: BudgetAccount,
  parts: EngineParts,
): Promise<Started> {
  const depth = parent.lineage.depth + 1;
  const deepest = parent.limits.depth;
  if (deepest !== undefined && depth > deepest) {
    const message = `child runs may be ${deepest} deep, and this would be ${depth}; raise the budget "depth" or flatten the work.`;
    return { refused: { failure: { code: 'engine.budget_exhausted', message } } };
  }
  const count = pending.children.length;
  const free = Math.min(
    account.own(parent, 'children'),
    account.shared ? account.available('children') : Number.POSITIVE_INFINITY,
  );
  if (free < count) {
    const used = parent.used.children ?? 0;
    const limit = parent.limits.children ?? used;
    const message = `${count} child runs were asked for and ${Math.max(0, free)} are left.`;
    const park: ParkRequest = { for: 'budget', budget: 'children', used, limit, needed: count - free };
    return { refused: { failure: { code: 'engine.budget_exhausted', message }, park } };
  }
  const ids = pending.children.map(() => parts.ids.next() as RunId);
  const starts = await Promise.all(
    pending.children.map(async (child, i): Promise<StreamAppend> => {
      const draft = await newRunEvent(
        {
          kind: child.kind,
          goal: child.goal,
          vars: child.vars ?? {},
          limits: childLimits(child, parent),
          lineage: { parent: parent.id, root: parent.lineage.root, depth, origin: ids[i] as string },
        },
        parts,
      );
      return { stream: runStream(ids[i] as string), expectedIndex: 0, events: [draft] };
    }),
  );
  const appends = (): readonly StreamAppend[] => {
    const opened = account.shared ? [] : [account.open(parent, spending)];
    const reserved = account.reserve(parent.id, { children: count });
    return [...opened, ...(reserved ? [reserved] : []), ...starts];
  };
  return { ids, appends };
}

/** A child gets what it asks for, at most what its parent has left. */
function childLimits(child: ChildSpec, parent: RunState): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = {};
  for (const name of BUDGET_NAMES) {
    const whole = parent.limits[name];
    const left =
      whole === undefined || name === 'depth' || name === 'node_retries' ? whole : spare(name, whole, parent);
    const asked = child.budgets?.[name];
    if (left === undefined && asked === undefined) continue;
    limits[name] = Math.min(left ?? Number.POSITIVE_INFINITY, asked ?? Number.POSITIVE_INFINITY);
  }
  return limits;
}

function spare(name: BudgetName, whole: number, parent: RunState): number {
  return Math.max(0, whole - (name === 'wall_ms' ? parent.activeMs : (parent.used[name] ?? 0)));
}
