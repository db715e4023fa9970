// Owns: which finished runs are past their retention. I1 Runs expire as whole trees, with every tree that they continue or
// that continues them. I2 A tree that something outside references is kept.
import type { EpochMs } from '../../kernel/index.ts';
import type { FinishedTree, RetentionPeriods, RetentionRecords } from './ports.ts';

/** The trees to archive now, in groups that must be archived together. */
export async function expiredTrees(
  records: RetentionRecords,
  periods: RetentionPeriods,
  now: EpochMs,
): Promise<readonly (readonly FinishedTree[])[]> {
  const { runsMs = Number.POSITIVE_INFINITY, scheduledRunsMs = Number.POSITIVE_INFINITY } = periods;
  const shortest = Math.min(runsMs, scheduledRunsMs);
  if (!Number.isFinite(shortest)) return [];
  const due = (await records.finishedTrees(now - shortest)).filter(
    ({ endedAt, scheduled }) => endedAt <= now - (scheduled ? scheduledRunsMs : runsMs),
  );
  if (due.length === 0) return [];
  const kept = new Set([
    ...(await records.neededRoots(now)),
    ...(await records.newestRoots(periods.keepLast ?? 0)),
  ]);
  const free = new Map(due.filter(({ root }) => !kept.has(root)).map((tree) => [tree.root, tree]));
  return archivableGroups(free, await records.continuations());
}

/** Groups of linked trees in which every tree may be archived. */
function archivableGroups(
  free: ReadonlyMap<string, FinishedTree>,
  links: readonly (readonly [string, string])[],
): readonly (readonly FinishedTree[])[] {
  const neighbours = new Map<string, string[]>();
  for (const [one, other] of links) {
    neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
    neighbours.set(other, [...(neighbours.get(other) ?? []), one]);
  }
  const seen = new Set<string>();
  const groups: (readonly FinishedTree[])[] = [];
  for (const root of free.keys()) {
    if (seen.has(root)) continue;
    const group = [root];
    seen.add(root);
    // The group grows while it is walked.
    for (const member of group) {
      for (const next of neighbours.get(member) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        group.push(next);
      }
    }
    const trees = group.flatMap((member) => free.get(member) ?? []);
    if (trees.length === group.length) groups.push(trees);
  }
  return groups;
}
