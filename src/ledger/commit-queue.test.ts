import { expect, it } from 'vitest';
import { CommitQueue } from './commit-queue.ts';
import type { WrittenCommit } from './seal-group.ts';

const plain: WrittenCommit = { sync: 'normal', appends: [] };
const synced: WrittenCommit = { sync: 'full', appends: [] };

/** A queue that records the size of each group. */
function queueWithSizes(): { queue: CommitQueue; sizes: number[] } {
  const sizes: number[] = [];
  const queue = new CommitQueue((group) => {
    sizes.push(group.length);
    return group.map(() => ({ events: [] }));
  });
  return { queue, sizes };
}

it('stores commits of one event loop turn as one group', async () => {
  const { queue, sizes } = queueWithSizes();
  await Promise.all([queue.push(plain), queue.push(plain), queue.push(synced)]);
  expect(sizes).toEqual([3]);
});

it('yields to timers and sockets while one writer commits repeatedly', async () => {
  const { queue, sizes } = queueWithSizes();
  let turns = 0;
  let over = false;
  const tick = (): void => {
    turns += 1;
    if (!over) setImmediate(tick);
  };
  setImmediate(tick);
  for (let i = 0; i < 1_000; i++) await queue.push(plain);
  over = true;
  expect(sizes).toHaveLength(1_000);
  expect(turns).toBeGreaterThan(10);
});

it('groups commits again as soon as there is a second writer', async () => {
  const { queue, sizes } = queueWithSizes();
  for (let i = 0; i < 3; i++) await queue.push(plain);
  const writer = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) await queue.push(plain);
  };
  sizes.length = 0;
  await Promise.all(Array.from({ length: 10 }, writer));
  expect(sizes.reduce((sum, size) => sum + size)).toBe(500);
  expect(sizes.length).toBeLessThan(60);
});

it('delays a synced commit so that others share its sync', async () => {
  const { queue, sizes } = queueWithSizes();
  for (let i = 0; i < 3; i++) await queue.push(plain);
  sizes.length = 0;
  const first = queue.push(synced);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, queue.push(synced)]);
  expect(sizes).toEqual([2]);
});

it('stores each commit alone when the group fails, so that only the bad one fails', async () => {
  const bad: WrittenCommit = { sync: 'normal', appends: [] };
  const queue = new CommitQueue((group) => {
    if (group.includes(bad)) throw new Error('bad');
    return group.map(() => ({ events: [] }));
  });
  const outcomes = await Promise.allSettled([queue.push(plain), queue.push(bad), queue.push(synced)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('rejects commits after close and stores earlier ones', async () => {
  const { queue, sizes } = queueWithSizes();
  const before = queue.push(plain);
  await queue.close();
  await before;
  expect(sizes).toEqual([1]);
  await expect(queue.push(plain)).rejects.toMatchObject({ code: 'ledger.closed' });
});
