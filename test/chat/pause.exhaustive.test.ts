import { expect, test } from 'vitest';
import { ChatRoom, counting, ROOM, started } from './chat-room.ts';

const HOPS = 4;
const PAUSED_AFTER = process.env['OKA_EXHAUSTIVE'] === '1' ? [0, 1, 2, 3] : [2];

test.each(PAUSED_AFTER)(
  'a conversation that is paused after %i turns continues where it was, each turn once',
  async (hop) => {
    const room = await ChatRoom.open(counting(['ann', 'bob'], HOPS));
    await room.send('@ann hop 1');
    if (hop === 0) await room.oka.chat.pause({ conversation: ROOM, by: 'ann' });
    room.host();
    for (let i = 0; i < hop; i++) await room.turn();
    await room.oka.chat.pause({ conversation: ROOM, by: 'ann' });
    await room.send(`@bob hop ${HOPS}`);
    await room.stopHosting();
    const said = (await room.messages()).length;
    room.host();
    await room.oka.chat.resume({ conversation: ROOM, by: 'ann' });
    await room.rest();
    const texts = await room.texts();
    expect(texts.length).toBeGreaterThan(said);
    expect(texts.filter((text) => text === 'bob: That was the last.')).toHaveLength(2);
    expect(texts.filter((text) => !text.startsWith('user')).sort()).toEqual([
      'ann: @bob hop 2',
      'ann: @bob hop 4',
      'bob: @ann hop 3',
      'bob: That was the last.',
      'bob: That was the last.',
    ]);
    expect((await room.trace()).every(({ status, attempts }) => status === 'done' && attempts === 1)).toBe(
      true,
    );
  },
);

test('pausing with --cancel ends a turn in flight at once; what is said later waits', async () => {
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
