// Owns: which child runs decided how long the run took.

import type { RunRecord, TreeRecord } from './types.ts';

const endOf = (run: RunRecord): number => run.endedAt ?? Number.POSITIVE_INFINITY;

/**
 * The runs on the longest path: a run's steps follow each other, so where children ran side by side, the one that ended last is on
 * it. Empty if nothing ran side by side, because then every step is on it.
 */
export function longestPath({ root, runs }: TreeRecord): ReadonlySet<string> {
  const path = new Set<string>();
  let isParallel = false;
  const visit = (run: RunRecord): void => {
    path.add(run.id);
    for (const { children } of run.steps) {
      const started = children.flatMap((id) => runs.get(id) ?? []);
      if (started.length > 1) isParallel = true;
      const last = started.toSorted((a, b) => endOf(b) - endOf(a) || b.startedAt - a.startedAt)[0];
      if (last !== undefined) visit(last);
    }
  };
  visit(root);
  return isParallel ? path : new Set();
}
