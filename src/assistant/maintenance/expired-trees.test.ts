import { describe, expect, it } from 'vitest';
import { expiredTrees } from './expired-trees.ts';
import type { FinishedTree, RetentionPeriods, RetentionRecords } from './ports.ts';

const NOW = 1_000;

function tree(root: string, endedAt: number, scheduled = false): FinishedTree {
  return { root, kind: 'agent', endedAt, scheduled };
}

function records(
  trees: readonly FinishedTree[],
  others: {
    readonly needed?: readonly string[];
    readonly newest?: (count: number) => readonly string[];
    readonly links?: readonly (readonly [string, string])[];
  } = {},
): RetentionRecords {
  return {
    finishedTrees: async (before) => trees.filter(({ endedAt }) => endedAt <= before),
    neededRoots: async () => others.needed ?? [],
    newestRoots: async (count) => others.newest?.(count) ?? [],
    continuations: async () => others.links ?? [],
    oldEpisodes: async () => [],
    removedSinceMark: async () => ({ runs: 0, episodes: 0 }),
  };
}

async function expired(from: RetentionRecords, periods: RetentionPeriods): Promise<readonly string[][]> {
  const groups = await expiredTrees(from, periods, NOW);
  return groups.map((group) => group.map(({ root }) => root).sort());
}

describe('expiredTrees', () => {
  it('returns trees that are past their period, with a separate period for scheduled ones', async () => {
    const from = records([
      tree('old', 100),
      tree('young', 950),
      tree('fired', 900, true),
      tree('fired now', 995, true),
    ]);
    expect(await expired(from, { runsMs: 900, scheduledRunsMs: 50 })).toEqual([['old'], ['fired']]);
    expect(await expired(from, { scheduledRunsMs: 50 })).toEqual([['fired']]);
    expect(await expired(from, { runsMs: 900, scheduledRunsMs: Number.POSITIVE_INFINITY })).toEqual([
      ['old'],
    ]);
  });

  it('returns nothing without a configured period, or with an infinite one', async () => {
    const from = records([tree('old', 0)]);
    expect(await expired(from, {})).toEqual([]);
    expect(await expired(from, { runsMs: Number.POSITIVE_INFINITY, keepLast: 1 })).toEqual([]);
  });

  it('skips trees that are still referenced, and the newest ones', async () => {
    const trees = ['a', 'b', 'c'].map((root) => tree(root, 0));
    const newest = (count: number) => ['c', 'b', 'a'].slice(0, count);
    expect(await expired(records(trees, { needed: ['a'], newest }), { runsMs: 1 })).toEqual([['b'], ['c']]);
    expect(await expired(records(trees, { newest }), { runsMs: 1, keepLast: 2 })).toEqual([['a']]);
  });

  it('returns linked trees together or not at all', async () => {
    const trees = ['a', 'b', 'c', 'd'].map((root) => tree(root, 0));
    const links = [
      ['b', 'a'],
      ['c', 'b'],
    ] as const;
    expect(await expired(records(trees, { links }), { runsMs: 1 })).toEqual([['a', 'b', 'c'], ['d']]);
    expect(await expired(records(trees, { links, needed: ['c'] }), { runsMs: 1 })).toEqual([['d']]);
    const open = records(trees.slice(0, 2), { links });
    expect(await expired(open, { runsMs: 1 })).toEqual([]);
  });
});
