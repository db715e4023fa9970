import { expect, it } from 'vitest';
import { AdmissionQueue } from './admission-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue with `count` requests, and which of them were admitted. */
function askedBy(count: number): { queue: AdmissionQueue; admitted: number[] } {
  const queue = new AdmissionQueue();
  const admitted: number[] = [];
  for (let i = 0; i < count; i++) {
    const room = queue.request();
    if (room === undefined) admitted.push(i);
    else void room.then(() => admitted.push(i));
  }
  return { queue, admitted };
}

function start(queue: AdmissionQueue, count: number): void {
  for (let i = 0; i < count; i++) queue.start();
}

it('admits up to the limit of requests in flight', async () => {
  const { queue, admitted } = askedBy(600);
  expect(admitted).toHaveLength(512);
  start(queue, 512);
  await turn();
  await turn();
  expect(admitted).toHaveLength(512);
});

it('admits the next in order when others finish', async () => {
  const { queue, admitted } = askedBy(600);
  start(queue, 512);
  await turn();
  queue.finish(40);
  await turn();
  expect(admitted.slice(512)).toEqual(Array.from({ length: 40 }, (_, i) => 512 + i));
});

it('leaves room for writers that continue after a stored commit', async () => {
  const { queue, admitted } = askedBy(600);
  start(queue, 512);
  await turn();
  queue.finish(128);
  await Promise.resolve().then(() => start(queue, 100));
  await turn();
  expect(admitted).toHaveLength(512 + 28);
});

it('admits one request for each stored group, however many are in flight', async () => {
  const { queue, admitted } = askedBy(600);
  start(queue, 512);
  await turn();
  for (let group = 0; group < 10; group++) {
    queue.finish(128);
    start(queue, 128);
    await turn();
    start(queue, 1);
  }
  expect(admitted).toHaveLength(512 + 10);
});

it('does not wait for writers that were admitted and never commit', async () => {
  const { admitted } = askedBy(2_000);
  for (let i = 0; i < 4; i++) await turn();
  expect(admitted).toHaveLength(2_000);
});

it('admits no new request before waiting ones', async () => {
  const { queue, admitted } = askedBy(600);
  start(queue, 512);
  await turn();
  queue.finish(512);
  const last = queue.request();
  expect(last).toBeInstanceOf(Promise);
  await last;
  expect(admitted).toHaveLength(600);
});
