import { expect, test } from 'vitest';
import type { PackAnswer } from '../src/api/index.ts';
import { Workspace } from './cli/oka-process.ts';

test('oka memory pack shows what would be sent, what was dropped, and why', async () => {
  const workspace = Workspace.trusted();
  for (const text of ['the release is on Friday', 'the release notes are in docs'])
    await workspace.answer('memory', 'fact', 'add', text);
  const pack = async (...args: readonly string[]): Promise<PackAnswer> =>
    (await workspace.answer<PackAnswer>('memory', 'pack', 'prepare the release', ...args)).data;
  const { items, dropped, tokens, cap } = await pack();
  expect(items.map(({ kind, text }) => `${kind} ${text}`).sort()).toEqual([
    'fact the release is on Friday',
    'fact the release notes are in docs',
  ]);
  expect({ dropped, cap }).toEqual({ dropped: [], cap: 4_000 });
  expect(tokens).toBeGreaterThan(0);
  const small = await pack('--cap', String(tokens - 1));
  expect(small.items).toHaveLength(1);
  expect(small.dropped).toMatchObject([{ kind: 'fact', why: 'cap' }]);
  expect((await pack('--cap', '0')).items).toEqual([]);
});
