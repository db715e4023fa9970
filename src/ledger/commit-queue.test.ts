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

it('gives timers and sockets their turn while one writer goes on and on', async () => {
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

it('gathers again as soon as a lonely writer has company', async () => {
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

/** A queue whose groups are stored elsewhere: they are answered when the test says so. */
function queueElsewhere(): { queue: CommitQueue; happened: string[]; answer: () => void } {
  const happened: string[] = [];
  const answers: (() => void)[] = [];
  const queue = new CommitQueue((group) => {
    happened.push(`group of ${group.length}`);
    return new Promise((resolve) => {
      answers.push(() => resolve(group.map(() => ({ events: [] }))));
    });
  });
  return { queue, happened, answer: () => answers.shift()?.() };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('hands on one more group while one is stored elsewhere, and no third', async () => {
  const { queue, happened, answer } = queueElsewhere();
  const pushed: Promise<unknown>[] = [];
  for (let size = 1; size <= 3; size++) {
    for (let i = 0; i < size; i++) pushed.push(queue.push(plain));
    await turn();
    await turn();
  }
  expect(happened).toEqual(['group of 1', 'group of 2']);
  for (let i = 0; i < 3; i++) {
    answer();
    await turn();
  }
  await Promise.all(pushed);
  expect(happened).toEqual(['group of 1', 'group of 2', 'group of 3']);
  await queue.close();
});

it('hands on the next group before the answers to the last one are worked on', async () => {
  const { queue, happened, answer } = queueElsewhere();
  const first = queue.push(plain).then(() => happened.push('answer'));
  await turn();
  const later = [queue.push(plain), queue.push(plain)];
  answer();
  await first;
  answer();
  await Promise.all(later);
  expect(happened).toEqual(['group of 1', 'group of 2', 'answer']);
  await queue.close();
});
