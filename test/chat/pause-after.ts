import { expect } from 'vitest';
import { ChatRoom, counting, ROOM } from './chat-room.ts';

const HOPS = 4;

/** Pauses a conversation after `turns` turns, and checks that it continues there, with each turn once. */
export async function pauseAfter(hop: number): Promise<void> {
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
}
