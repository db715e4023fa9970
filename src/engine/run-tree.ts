import type { EventStore } from '../ledger/index.ts';
import { isMissingRun, loadRun } from './load-run.ts';
import type { RunStore, RunSummary } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { RunId } from './types.ts';

/** The descendants of a run, parents before their children, the oldest child first. */
export async function descendantsOf(
  run: { readonly id: RunId; readonly root: RunId },
  runs: Pick<RunStore, 'list'>,
): Promise<readonly RunSummary[]> {
  const children = new Map<string, RunSummary[]>();
  for (const one of (await runs.list({ root: run.root })).toReversed()) {
    if (one.parent === undefined) continue;
    const siblings = children.get(one.parent);
    if (siblings) siblings.push(one);
    else children.set(one.parent, [one]);
  }
  const found = [...(children.get(run.id) ?? [])];
  // The list grows while it is read: a child's own children follow it.
  for (const one of found) found.push(...(children.get(one.id) ?? []));
  return found;
}

/** The failed and cancelled runs that a run continues, the newest first. The list ends at one that is no longer stored. */
export async function earlierAttempts(
  { lineage }: Pick<RunState, 'lineage'>,
  stores: { readonly events: EventStore; readonly runs: RunStore },
): Promise<readonly RunState[]> {
  const found: RunState[] = [];
  for (let id = lineage.resumedFrom; id !== undefined; id = found.at(-1)?.lineage.resumedFrom) {
    const run = await loadRun(id, stores).catch((error: unknown) => {
      if (!isMissingRun(error)) throw error;
      return undefined;
    });
    if (run === undefined) break;
    found.push(run);
  }
  return found;
}
