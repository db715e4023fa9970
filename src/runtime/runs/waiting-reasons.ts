// Owns: what the runs of a list wait for, read from the rows of runs alone, so that a long list needs no run.
import type { RunListItem } from '../../api/index.ts';
import type { Owners, RunStore, RunSummary } from '../../engine/index.ts';
import { urgencyOf } from './answer-tree.ts';

type Reason = NonNullable<RunListItem['waitingFor']>;

/** The reasons of the waiting runs among these, by run. Reads the open runs of their trees once. */
export async function waitingReasons(
  listed: readonly RunSummary[],
  runs: Pick<RunStore, 'list'>,
  owners: Owners,
): Promise<ReadonlyMap<string, Reason>> {
  const waiting = listed.filter(({ status }) => status === 'waiting');
  const parents = waiting.filter(({ waitsFor }) => waitsFor === 'children');
  const reasons = new Map<string, Reason>();
  for (const run of waiting)
    if (run.waitsFor !== undefined) reasons.set(run.id, { what: run.waitsFor, ...untilOf(run) });
  if (parents.length === 0) return reasons;
  const open = await runs.list({
    roots: [...new Set(parents.map(({ root }) => root))],
    statuses: ['pending', 'running', 'waiting', 'paused'],
  });
  const byId = new Map<string, RunSummary>(open.map((run) => [run.id, run]));
  const wanted = new Set<string>(parents.map(({ id }) => id));
  // The oldest first, as the run itself shows them.
  for (const run of open.toReversed()) {
    const what = blockerOf(run, owners);
    if (what === undefined) continue;
    for (let above = run.parent; above !== undefined; above = byId.get(above)?.parent) {
      if (!wanted.has(above)) continue;
      const known = reasons.get(above);
      const isFirst = known?.run === undefined;
      if (isFirst || urgencyOf(what) < urgencyOf(known.what))
        reasons.set(above, { what, run: run.id, ...untilOf(run) });
    }
  }
  return reasons;
}

/** What an open descendant is blocked by; undefined if its own descendants say it. */
function blockerOf({ status, waitsFor, owner }: RunSummary, owners: Owners): string | undefined {
  if (status === 'waiting') return waitsFor === 'children' ? undefined : waitsFor;
  if (status === 'paused') return 'paused';
  if (owner === undefined) return 'pending';
  return owners.isAlive(owner) ? 'running' : 'interrupted';
}

function untilOf({ waitsUntil }: RunSummary): Pick<Reason, 'until'> {
  return waitsUntil === undefined ? {} : { until: waitsUntil };
}
