import { expect, test } from 'vitest';
import type { MaintenanceAnswer, MetricsAnswer } from '../../src/api/index.ts';
import { BRIEF, Workspace } from '../cli/oka-process.ts';

test('oka maintain maintains the workspace, and oka metrics counts the work', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', 'list src. I prefer short answers. Remember that we ship on Friday.');
  const { data: done } = await workspace.answer('do', BRIEF);
  await workspace.answer('runs', 'correct', done.run.id, 'look below too');
  const would = await workspace.answer<MaintenanceAnswer>('maintain', '--dry-run');
  expect(would.data).toMatchObject({ outcome: 'would_do', wouldLearn: [{}, {}] });
  const maintained = await workspace.answer<MaintenanceAnswer>('maintain');
  expect(maintained).toMatchObject({ exitCode: 0, data: { outcome: 'done', run: { status: 'completed' } } });
  expect((await workspace.answer<MaintenanceAnswer>('maintain')).data).toEqual({
    outcome: 'nothing_changed',
  });
  const { data: figures } = await workspace.answer<MetricsAnswer>('metrics', '--since', '7d');
  expect(figures.whole).toMatchObject({
    started: 2,
    completion: { n: 2 },
    corrections: { rate: 0.5, count: 1, n: 2, corrections: 1 },
    contextPack: { medianTokens: null },
  });
  expect(figures.whole.completion.count).toBeGreaterThan(0);
  expect(figures.days.at(-1)?.started).toBeGreaterThan(0);
  expect((await workspace.refusal('metrics', '--since', 'yesterday')).error.message).toContain('7d');
  await workspace.verified();
});
