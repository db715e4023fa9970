import { expect, test } from 'vitest';
import { fakeProvider } from '../models/fake-provider.ts';
import { ChatRoom, ROOM, type TestAgent } from './chat-room.ts';

/** A room in which ann did not answer the first messages, because her model was busy and she may not wait. */
async function failed(messages: number): Promise<ChatRoom> {
  const refusals = Array.from({ length: messages }, () => ({ retryAfter: '60' }));
  const { url } = await fakeProvider({ refusals, says: 'Fine now.' });
  const models = { house: { provider: 'openai-compatible', model: 'model-1', base_url: url } };
  const ann: TestAgent = { turns: [], usesDefault: true, budgets: { wait_ms: 0 } };
  const room = await ChatRoom.open({ ann, bob: { turns: [{ text: 'Here.' }] } }, { userConfig: { models } });
  for (let i = 0; i < messages; i++) await room.send('@ann how are you?');
  room.host();
  await room.rest();
  return room;
}

const retry = (room: ChatRoom, turn?: string) =>
  room.oka.chat.retry({ conversation: ROOM, by: 'ann', ...(turn === undefined ? {} : { turn }) });

test('a dropped turn is answered in a new run after a retry, by any form of its name', async () => {
  const room = await failed(5);
  const before = await room.trace();
  expect(before.map(({ reason }) => reason)).toEqual(Array(5).fill('failed'));
  const { notices } = await room.oka.chat.view({ conversation: ROOM, limit: 1 });
  expect(notices).toMatchObject([{ ended: true, retry: `${ROOM}/4/ann` }]);
  for (const [message, name] of ['0', '#1', '2/ann', `${ROOM}/3/ann`].entries())
    expect(await retry(room, name)).toEqual([{ id: `${ROOM}/${message}/ann`, message, agent: 'ann' }]);
  expect(await retry(room)).toMatchObject([{ message: 4 }]);
  await room.rest();
  const after = await room.trace();
  for (const [i, turn] of after.entries()) {
    expect(turn).toMatchObject({ status: 'done', attempts: 1 });
    expect(turn.reason).toBeUndefined();
    expect(turn.run).not.toBe(before[i]?.run);
  }
  expect((await room.texts()).filter((text) => text === 'ann: Fine now.')).toHaveLength(5);
  expect(await retry(room)).toEqual([]);
  await room.expectSound();
});

test('only a dropped turn can be retried, and a refusal says why', async () => {
  const room = await failed(1);
  await room.send('@bob are you there?');
  await room.rest();
  await expect(retry(room, '1/bob')).rejects.toMatchObject({
    code: 'chat.invalid',
    message: expect.stringContaining('it was answered'),
  });
  await expect(retry(room, '7')).rejects.toMatchObject({
    code: 'chat.invalid',
    message: expect.stringContaining(`oka chat trace ${ROOM}`),
  });
  await expect(room.oka.chat.retry({ conversation: 'rom', by: 'ann' })).rejects.toMatchObject({
    code: 'chat.unknown',
  });
});

test('a mention beyond the depth of its chain is not retried', async () => {
  const room = await ChatRoom.open(
    { ann: { turns: [{ text: '@bob go on' }] }, bob: { turns: [{ text: 'No.' }] } },
    { config: { chat: { depth: 1 } } },
  );
  await room.send('@ann go');
  room.host();
  await room.rest();
  expect(await room.trace()).toMatchObject([{ status: 'done' }, { agent: 'bob', reason: 'depth' }]);
  expect(await retry(room)).toEqual([]);
  await expect(retry(room, '1/bob')).rejects.toThrow('mention the agent in a new message');
});
