import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ChatRoom, started } from './chat-room.ts';

test('without a model, a message is a goal that is completed as a whole and answered in words', async () => {
  const room = await ChatRoom.open({});
  mkdirSync(join(room.root, 'src'));
  writeFileSync(join(room.root, 'src', 'beds.ts'), 'dig(); // TODO deeper\n');
  await room.send('@anton write a brief of this folder to BRIEF.md; collect all TODOs in src into TODOS.md');
  room.host();
  await room.rest();
  const [, answer] = await room.texts();
  expect(answer).toMatch(/^anton: done: write a brief .+\n.*wrote BRIEF\.md/);
  expect(answer).toMatch(/wrote TODOS\.md/);
  for (const file of ['BRIEF.md', 'TODOS.md']) expect(existsSync(join(room.root, file))).toBe(true);
  await room.expectSound();
});

test('without a model, a message that is not understood is not retried', async () => {
  const room = await ChatRoom.open({});
  await room.send('@anton hello');
  room.host();
  await room.rest();
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'failed', attempts: 1 }]);
  expect((await room.notices())[0]).toMatch(/^anton did not answer: failed \(The goal "hello" was not/);
});

test('cancelling a turn ends it at once, even while its model hangs', async () => {
  const room = await ChatRoom.open({ ann: { turns: [{ text: 'never', delay_ms: 86_400_000 }] } });
  await room.send('@ann how are you?');
  room.host();
  await started(room);
  const [turn] = await room.trace();
  await room.oka.runs.cancel(turn?.run ?? '', 'ann', 'enough');
  await room.oka.chat.notify({ conv_name: 'room', message_id: 0, depth: 0 });
  await room.rest();
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'cancelled' }]);
});
