import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contextBench } from './context-bench.ts';

it('one file changed in a tree of 50,000: only the frames of its ancestors are regenerated', async () => {
  const { root, api, scan, write, ledger } = await contextBench({ 'top/changed.txt': 'before' });
  for (let folder = 0; folder < 8_000; folder++) {
    const path = join(root, `g${folder % 20}`, `h${Math.floor(folder / 20) % 20}`, `i${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 6; file++) writeFileSync(join(path, `f${file}.txt`), `${folder} ${file}`);
  }
  for (let file = 0; file < 2_000; file++) write(`flat/f${file}.txt`, `${file}`);
  const changed = 'g3/h0/i3/f1.txt';
  expect((await scan()).added).toBeGreaterThanOrEqual(50_000);
  const as = { agent: 'user', by: 'tester' };
  await api.putFrame({ node: changed, type: 'note', content: 'about it', ...as });
  const all = await api.synthesize({
    node: '.',
    type: 'note',
    policy: 'summarization',
    recursive: true,
    ...as,
  });
  expect(all.appended).toBeGreaterThan(8_400);
  write(changed, 'after');
  await scan();
  const { seq } = await ledger.events.head();
  const request = { node: '.', recursive: true, models: false, ...as };
  expect((await api.regenerate({ ...request, dryRun: true })).cost).toEqual({ frames: 4, modelCalls: 0 });
  const { regenerated, unchanged } = await api.regenerate({ ...request, dryRun: false });
  expect(regenerated.map(({ path }) => path)).toEqual(['g3/h0/i3', 'g3/h0', 'g3', '']);
  expect(unchanged).toBe(all.appended - 4);
  expect((await ledger.events.head()).seq).toBe(seq + 4);
  expect(await api.validate()).toEqual({ ok: true, faults: [] });
});
