import { expect, test } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import { ChatRoom, ROOM } from './chat-room.ts';

const DAY_MS = 86_400_000;
const FINE = { turns: [{ text: 'I am fine.' }] };

test('a view since a message returns the next messages, and without it the newest', async () => {
  const room = await ChatRoom.open({});
  for (let i = 0; i < 6; i++) await room.send(`line ${i}`);
  const ids = async (filter: object) =>
    (await room.oka.chat.view({ conversation: ROOM, ...filter })).messages.map(({ id }) => id);
  expect(await ids({ since: 1, limit: 2 })).toEqual([2, 3]);
  expect(await ids({ since: 3, limit: 2 })).toEqual([4, 5]);
  expect(await ids({ since: 5, limit: 2 })).toEqual([]);
  expect(await ids({ limit: 2 })).toEqual([4, 5]);
  expect(await ids({ before: 4, limit: 2 })).toEqual([2, 3]);
  expect(await ids({ since: 3 })).toEqual([4, 5]);
});

test('a mistyped mention gets a suggestion, in the answer and in the view', async () => {
  const room = await ChatRoom.open({ zoe: FINE });
  const sent = await room.send('@antn @Zoe @xyzzy hello');
  expect(sent).toMatchObject({
    notified: [],
    unknown: ['antn', 'Zoe', 'xyzzy'],
    suggestions: [
      { name: 'antn', nearest: 'anton' },
      { name: 'Zoe', nearest: 'zoe' },
    ],
  });
  expect(await room.notices()).toEqual([
    'No agent "antn". Did you mean "anton"?',
    'No agent "Zoe". Did you mean "zoe"?',
    'No agent "xyzzy". See: oka agent list',
  ]);
});

test('a waiting turn is shown in the view, in the list and in the trace', async () => {
  const clock = new ManualClock();
  const room = await ChatRoom.open({ ann: { turns: [{ error: 'rate_limited' }] } }, { clock });
  await room.send('@ann how are you?');
  const waits = room.turn();
  room.host();
  await waits;
  const [turn] = await room.trace();
  const until = turn?.waiting?.until ?? 0;
  expect(turn).toMatchObject({ status: 'claimed', waiting: { why: 'the script is rate limited' } });
  expect(await room.oka.chat.list()).toMatchObject([{ name: ROOM, open: 1, waitsUntil: until }]);
  const { notices } = await room.oka.chat.view({ conversation: ROOM });
  const time = new Date(until).toISOString().slice(0, 19).replace('T', ' ');
  expect(notices).toEqual([
    { message: 0, what: `ann tries again at ${time} UTC: the script is rate limited`, until },
  ]);
  const run = await room.oka.runs.show(turn?.run ?? '');
  expect(run.run.waitingFor?.detail).toContain('the script is rate limited');
  // It can be cancelled while it waits.
  const ended = room.turn();
  await room.oka.chat.stop({ conversation: ROOM, by: 'ann' });
  await ended;
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'cancelled' }]);
});

test('cleanup erases expired messages, keeps others, and deletes every conversation without messages', async () => {
  const clock = new ManualClock();
  const room = await ChatRoom.open({ ann: FINE, bob: FINE }, { clock });
  const { chat } = room.oka;
  for (const name of ['used', 'expired']) {
    await chat.create({ name, by: 'ann' });
    await chat.send({ conversation: name, text: 'old', by: 'ann' });
  }
  await chat.pause({ conversation: 'expired', by: 'ann' });
  await chat.send({ conversation: 'expired', text: '@ann old question', by: 'ann' });
  clock.advance(8 * DAY_MS);
  await chat.send({ conversation: 'used', text: 'new', by: 'ann' });
  await chat.create({ name: 'just-made', by: 'ann' });
  expect(await chat.cleanup('ann')).toEqual({
    messages: 3,
    conversations: expect.arrayContaining([ROOM, 'expired', 'just-made']),
    mentions: 0,
  });
  expect(await chat.list()).toMatchObject([{ name: 'used', messages: 1 }]);
  expect(await chat.cleanup('ann')).toEqual({ messages: 0, conversations: [], mentions: 0 });
  await room.expectSound();
});

test('cleanup drops waiting mentions of deleted agents, and says how many', async () => {
  const room = await ChatRoom.open({ ann: FINE });
  const { rmSync } = await import('node:fs');
  await room.send('@ann how are you?');
  rmSync(`${room.root}/.oka/agents/ann.md`);
  expect(await room.oka.chat.cleanup('ann')).toEqual({ messages: 0, conversations: [], mentions: 1 });
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'unknown_agent' }]);
});
