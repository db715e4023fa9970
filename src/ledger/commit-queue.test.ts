import { expect, it } from 'vitest';
import { CommitQueue } from './commit-queue.ts';
import type { WrittenCommit } from './seal-group.ts';

const plain: WrittenCommit = { sync: 'normal', appends: [] };
const synced: WrittenCommit = { sync: 'full', appends: [] };

/** A queue that remembers how large its groups were. */
function queueWithSizes(): { queue: CommitQueue; sizes: number[] } {
  const sizes: number[] = [];
  const queue = new CommitQueue((group) => {
    sizes.push(group.length);
    return group.map(() => ({ events: [] }));
  });
  return { queue, sizes };
}

it('stores what arrives in one turn of the event loop as one group', async () => {
  const { queue, sizes } = queueWithSizes();
  await Promise.all([queue.push(plain), queue.push(plain), queue.push(synced)]);
  expect(sizes).toEqual([3]);
});

it('gives timers and sockets their turn while one writer commits again and again', async () => {
  const { queue, sizes } = queueWithSizes();
  let turns = 0;
  let over = false;
  const look = (): void => {
    turns += 1;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
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

it('makes a synced commit wait for others to share its sync with', async () => {
  const { queue, sizes } = queueWithSizes();
  for (let i = 0; i < 3; i++) await queue.push(plain);
  sizes.length = 0;
  const first = queue.push(synced);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, queue.push(synced)]);
  expect(sizes).toEqual([2]);
});

it('stores each commit alone when the group fails, so that a bad one fails alone', async () => {
  const bad: WrittenCommit = { sync: 'normal', appends: [] };
  const queue = new CommitQueue((group) => {
    if (group.includes(bad)) throw new Error('bad');
    return group.map(() => ({ events: [] }));
  });
  const outcomes = await Promise.allSettled([queue.push(plain), queue.push(bad), queue.push(synced)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('refuses commits after it is closed, and stores those from before', async () => {
  const { queue, sizes } = queueWithSizes();
  const before = queue.push(plain);
  await queue.close();
  await before;
  expect(sizes).toEqual([1]);
  await expect(queue.push(plain)).rejects.toMatchObject({ code: 'ledger.closed' });
});
