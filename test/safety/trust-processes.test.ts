import { expect, test } from 'vitest';
import type { TrustedWorkspace } from '../../src/api/index.ts';
import { Workspace } from '../cli/oka-process.ts';

test('processes that trust and revoke at the same time lose no record', async () => {
  const first = new Workspace();
  const { home } = first;
  await first.answer('init', '--trust');
  const others = Array.from({ length: 6 }, () => new Workspace({ home }));
  const trusting = others.map((workspace) => workspace.start('init', '--trust').ended);
  const ended = await Promise.all([...trusting, first.start('trust', 'revoke').ended]);
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  const { data } = await first.answer<{ workspaces: TrustedWorkspace[] }>('trust', 'list');
  expect(data.workspaces.map(({ path }) => path).sort()).toEqual(others.map(({ root }) => root).sort());
});
