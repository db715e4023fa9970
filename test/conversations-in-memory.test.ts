import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Oka } from '../src/runtime/index.ts';
import { ManualClock } from './support/manual-clock.ts';
import { tempFolder } from './support/temp-folder.ts';

const DAY_MS = 86_400_000;

it('conversations are found by memory search like other episodes, until they expire or are deleted', async () => {
  const clock = new ManualClock(1_800_000_000_000);
  const oka = new Oka({ workspace: tempFolder(), home: join(tempFolder(), 'home'), clock });
  await oka.init({ trust: true });
  for (const name of ['garden', 'kitchen']) await oka.chat.create({ name, by: 'me' });
  await oka.chat.send({ conversation: 'garden', text: 'the quince blossoms in April', by: 'me' });
  await oka.chat.send({ conversation: 'kitchen', text: 'quince jelly needs lemons', by: 'me' });
  const found = async (): Promise<readonly string[]> =>
    (await oka.memory.searchDaily({ query: 'quince', limit: 10 })).hits.map(({ text }) => text).sort();
  expect(await found()).toEqual(['quince jelly needs lemons', 'the quince blossoms in April']);
  expect((await oka.memory.days(5)).map(({ episodes }) => episodes)).toEqual([2]);

  await oka.chat.delete('kitchen', 'me');
  expect(await found()).toEqual(['the quince blossoms in April']);

  await expect(oka.memory.addFact({ text: 'x', namespace: 'chat/garden', by: 'me' })).rejects.toMatchObject({
    code: 'memory.invalid',
  });
  clock.advance(8 * DAY_MS);
  expect(await found()).toEqual([]);
  expect(await oka.ledger.verify({ full: true })).toMatchObject({ ok: true });
  await oka.close();
});
