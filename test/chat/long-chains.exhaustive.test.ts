import { expect, test } from 'vitest';
import { ChatRoom, counting } from './chat-room.ts';

test('a chain of exactly a hundred turns is answered; the next agent is not notified, and view says why', async () => {
  const room = await ChatRoom.open(counting(['ann', 'bob', 'cid'], 200));
  await room.send('@ann hop 1');
  room.host();
  await room.rest();
  const trace = await room.trace();
  expect(trace.filter(({ status }) => status === 'done')).toHaveLength(100);
  expect(trace.at(-1)).toMatchObject({ depth: 101, status: 'dropped', reason: 'depth' });
  expect((await room.texts()).at(-1)).toBe('ann: @bob hop 101');
  expect(await room.notices()).toEqual([
    'bob was not notified: depth (the limit of 100 mentions in a chain is reached)',
  ]);
});

test('fifty agents answer one message, each once', async () => {
  const names = Array.from({ length: 50 }, (_, i) => `agent-${i}`);
  const agents = Object.fromEntries(names.map((name) => [name, { turns: [{ text: `${name} is here` }] }]));
  const room = await ChatRoom.open(agents);
  await room.send(`${names.map((name) => `@${name}`).join(' ')} who is there?`);
  room.host();
  await room.rest();
  expect((await room.texts()).slice(1).sort()).toEqual(
    names.map((name) => `${name}: ${name} is here`).sort(),
  );
  await room.expectSound();
});
