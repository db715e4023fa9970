import { expect } from 'vitest';
import type { ExplainAnswer, ReplayAnswer } from '../../src/api/index.ts';
import { type RecoveryCase, runOf } from './recovery-cases.ts';

/** Brings about a recovery and looks for its line in the live view, `runs explain` and the narrative. */
export async function checkRecovery([kind, says, prepare]: RecoveryCase): Promise<void> {
  const { workspace, command } = await prepare();
  const live = command && (await workspace.oka(...command));
  const run = await runOf(workspace);
  expect(run, live?.stderr).not.toBe('');
  const { data: explained } = await workspace.answer<ExplainAnswer>('runs', 'explain', run);
  const found = explained.recoveries.filter((one) => one.kind === kind);
  expect(found, live?.stderr).toHaveLength(1);
  const what = found[0]?.what ?? '';
  expect(what).toMatch(says);
  expect(explained.actions.flatMap(({ recoveries = [] }) => recoveries)).toContain(what);
  expect((await workspace.oka('runs', 'explain', run)).stdout).toContain(`recovery: ${what}`);
  if (live !== undefined) expect(live.stderr).toContain(`↻ ${what.slice(0, 290)}`);
  const { data } = await workspace.answer<ReplayAnswer>('runs', 'replay', run);
  expect(data.narrative?.filter((line) => line.endsWith(`. Recovery: ${what}`))).toHaveLength(1);
}
