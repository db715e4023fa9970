import { expect, test } from 'vitest';
import { actionGroups, type StepAction } from './action-groups.ts';

const step = (number: number, tool: string, input: object, more: Partial<StepAction> = {}): StepAction => ({
  ...{ step: number, at: 1, state: 'act', decision: 'call_tool', rationale: '', verdicts: [], outcome: 'ok' },
  ...{ tool, input, output: {} },
  ...more,
});

test('reads in a row share a line, other calls have their own', () => {
  const groups = actionGroups([
    step(1, 'files.read', { path: 'a.md' }),
    step(2, 'files.read', { path: 'b.md' }),
    step(3, 'process.run', { argv: ['npm', 'test'] }, { output: { exitCode: 1 } }),
  ]);
  expect(groups.map(({ line }) => line)).toEqual(['read 2 files', 'ran npm test (exit 1)']);
});

test('a running call is not shown as done, and one that waits for a person has no line', () => {
  const groups = actionGroups([
    step(1, 'files.write', { path: 'a.md' }, { outcome: 'waiting' }),
    step(1, 'files.write', { path: 'b.md' }, { outcome: 'ok', output: undefined }),
    step(2, 'files.write', { path: 'a.md' }, { outcome: 'refused' }),
    step(3, 'process.run', { argv: ['npm', 'test'] }, { outcome: 'pending' }),
  ]);
  expect(groups.map(({ line }) => line)).toEqual(['files.write a.md was refused', 'running npm test']);
});

test('an edit counts its lines, a failed call says so', () => {
  const diff = '--- a\n+++ b\n@@ -1 +1,2 @@\n-one\n+two\n+three\n';
  const failure = { code: 'files.missing', message: 'No such file' };
  const groups = actionGroups([
    step(1, 'files.edit', { path: 'a.md' }, { output: { diff } }),
    step(2, 'files.read', { path: 'x' }, { outcome: 'failed', failure }),
  ]);
  expect(groups.map(({ line, hasFailed }) => [line, hasFailed])).toEqual([
    ['edited a.md +2 −1', false],
    ['files.read x failed', true],
  ]);
});
