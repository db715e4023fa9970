import { expect, it } from 'vitest';
import { Entrance } from './entrance.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An entrance that `count` newcomers have asked at, and who of them was let in. */
function askedBy(count: number): { entrance: Entrance; letIn: number[] } {
  const entrance = new Entrance();
  const letIn: number[] = [];
  for (let i = 0; i < count; i++) {
    const room = entrance.ask();
    if (room === undefined) letIn.push(i);
    else void room.then(() => letIn.push(i));
  }
  return { entrance, letIn };
}

function enter(entrance: Entrance, count: number): void {
  for (let i = 0; i < count; i++) entrance.enter();
}

it('lets in at once as many as can be kept up with', async () => {
  const { entrance, letIn } = askedBy(600);
  expect(letIn).toHaveLength(512);
  enter(entrance, 512);
  await turn();
  await turn();
  expect(letIn).toHaveLength(512);
});

it('lets the next ones in, in order, when others are done', async () => {
  const { entrance, letIn } = askedBy(600);
  enter(entrance, 512);
  await turn();
  entrance.leave(40);
  await turn();
  expect(letIn.slice(512)).toEqual(Array.from({ length: 40 }, (_, i) => 512 + i));
});

it('does not take the place of those who go on after what was stored', async () => {
  const { entrance, letIn } = askedBy(600);
  enter(entrance, 512);
  await turn();
  entrance.leave(128);
  await Promise.resolve().then(() => enter(entrance, 100));
  await turn();
  expect(letIn).toHaveLength(512 + 28);
});

it('lets one in for each group, however busy it is inside', async () => {
  const { entrance, letIn } = askedBy(600);
  enter(entrance, 512);
  await turn();
  for (let group = 0; group < 10; group++) {
    entrance.leave(128);
    enter(entrance, 128);
    await turn();
    enter(entrance, 1);
  }
  expect(letIn).toHaveLength(512 + 10);
});

it('waits for nobody who was let in and never wrote', async () => {
  const { letIn } = askedBy(2_000);
  for (let i = 0; i < 4; i++) await turn();
  expect(letIn).toHaveLength(2_000);
});

it('lets nobody pass those who wait', async () => {
  const { entrance, letIn } = askedBy(600);
  enter(entrance, 512);
  await turn();
  entrance.leave(512);
  const last = entrance.ask();
  expect(last).toBeInstanceOf(Promise);
  await last;
  expect(letIn).toHaveLength(600);
});
