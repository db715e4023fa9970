import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A trusted workspace in which a goal without a model has written a file. */
async function written() {
  const workspace = tempFolder();
  writeFileSync(join(workspace, 'notes.md'), 'three beds\n');
  const oka = new Oka({ workspace, home: join(tempFolder(), 'home') });
  await oka.init({ trust: true });
  const request = { simulate: false, budgets: {}, patienceMs: 0 };
  const { run } = await oka.do({ ...request, goal: 'write "four beds" to notes.md' });
  expect(run.status).toBe('completed');
  return { oka, workspace, run };
}

test('the changes of runs compare the earlier version with the file on disk, and an undone change is gone', async () => {
  const { oka, workspace, run } = await written();
  const [change] = await oka.runs.changes([run.id]);
  expect(change).toMatchObject({ path: 'notes.md', change: 'changed', added: 1, removed: 1 });
  expect(change?.diff).toContain('-three beds\n+four beds');
  await oka.runs.undo(run.id, 'me', false);
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('three beds\n');
  expect(await oka.runs.changes([run.id])).toEqual([]);
  await oka.close();
});

test('carried messages keep their authors and send no notifications', async () => {
  const oka = new Oka({ workspace: tempFolder(), home: join(tempFolder(), 'home') });
  await oka.init({ trust: true });
  for (const name of ['old', 'new']) await oka.chat.create({ name, by: 'me' });
  const first = await oka.chat.send({ conversation: 'old', text: 'hello @anton', by: 'me' });
  await oka.chat.send({ conversation: 'old', text: 'and more', by: 'me' });
  await oka.chat.carry({ from: 'old', to: 'new', messages: [first.id], by: 'me' });
  const { messages } = await oka.chat.view({ conversation: 'new' });
  expect(messages).toMatchObject([{ from: 'user', content: 'hello @anton' }]);
  expect(await oka.chat.trace('new')).toEqual([]);
  expect(await oka.chat.usage('new')).toMatchObject({ turns: [], tokens: 0, costUsd: 0 });
  await oka.close();
});
