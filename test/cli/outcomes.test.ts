import { expect, test } from 'vitest';
import type { MetricsAnswer, RunListItem } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';

/** A trusted workspace whose default model plays these turns. */
function playing(...turns: readonly object[]): Workspace {
  return Workspace.trusted({
    config: { models: { actor: { provider: 'scripted', script: 'script.json' } } },
    files: { 'script.json': JSON.stringify({ turns }), 'report.md': 'old\n' },
  });
}

test('a model that only says that it wrote a file has proven nothing, on every face', async () => {
  const workspace = playing({ text: 'I wrote report.md.' });
  const { exitCode, data } = await workspace.answer('do', 'write a report about the garden to report.md');
  expect({ exitCode, run: data.run }).toMatchObject({
    exitCode: 9,
    run: { status: 'completed', outcome: 'unproven' },
  });
  expect(workspace.text('report.md')).toBe('old\n');
  const told = await workspace.oka('do', 'delete the old logs');
  expect(told.exitCode).toBe(9);
  expect(told.stderr).toContain('Not proven: the goal asks for a change, and no call changed anything');
  expect(told.stderr).not.toContain('✓ done');
  const { data: listed } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(listed.runs.map(({ outcome }) => outcome)).toEqual(['unproven', 'unproven']);
  const { data: metrics } = await workspace.answer<MetricsAnswer>('metrics');
  expect(metrics.whole.completion).toMatchObject({ count: 0, n: 2, unproven: 2 });
});

test('a model that writes the file, and one that answers a question, are checked', async () => {
  const write = { tool: 'files.write', input: { path: 'report.md', content: 'roses\n' } };
  const workspace = playing({ once: true, tool_calls: [write] }, { text: 'Done.' });
  const written = await workspace.answer('do', 'write a report about the garden to report.md');
  expect(written).toMatchObject({ exitCode: 0, data: { run: { outcome: 'checked' } } });
  const asked = await workspace.answer('do', 'what grows in the garden?');
  expect(asked).toMatchObject({ exitCode: 0, data: { run: { outcome: 'checked' } } });
});
