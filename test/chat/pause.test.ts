import { expect, test } from 'vitest';
import { ChatRoom, ROOM, started } from './chat-room.ts';
import { pauseAfter } from './pause-after.ts';

test('a conversation that is paused after two turns continues where it was, each turn once', () =>
  pauseAfter(2));

test('pausing with --cancel ends a turn in flight at once, and later messages wait', async () => {
  const room = await ChatRoom.open({ ann: { turns: [{ text: 'too late', delay_ms: 86_400_000 }] } });
  await room.send('@ann how are you?');
  room.host();
  await started(room);
  const ended = room.turn();
  await room.oka.chat.pause({ conversation: ROOM, cancel: true, by: 'ann' });
  await ended;
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'cancelled' }]);
  await room.send('@ann and now?');
  expect(await room.oka.chat.list()).toMatchObject([{ paused: true, open: 1 }]);
});

test('all conversations can be paused and continue together', async () => {
  const room = await ChatRoom.open({ ann: { turns: [{ text: 'Yes.' }] } });
  await room.oka.chat.create({ name: 'other', by: 'ann' });
  expect((await room.oka.chat.pause({ by: 'ann' })).map(({ paused }) => paused)).toEqual([true, true]);
  await room.send('@ann are you there?');
  room.host();
  expect((await room.oka.chat.resume({ by: 'ann' })).map(({ paused }) => paused)).toEqual([false, false]);
  await room.rest();
  expect(await room.texts()).toContain('ann: Yes.');
});
