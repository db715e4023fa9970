import { expect, test } from 'vitest';
import type { ApprovalView, RunAnswer } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';

/** What a goal asks a person, each answered with yes, until its run ends. */
async function questionsOf(place: Workspace, goal: string): Promise<readonly ApprovalView[]> {
  const asked: ApprovalView[] = [];
  let { data } = await place.answer<RunAnswer>('do', goal);
  while (data.run.status === 'waiting' && asked.length < 5) {
    const { approvals } = (await place.answer<{ approvals: ApprovalView[] }>('approvals', 'list')).data;
    const [approval] = approvals;
    if (approval === undefined) break;
    asked.push(approval);
    const how = approval.kind === 'tool' ? [] : ['--answer', 'yes'];
    data = (await place.answer<RunAnswer>('approvals', 'approve', approval.id, ...how)).data;
  }
  expect(data.run.status).toBe('completed');
  return asked;
}

test.each([
  ['delete notes.txt', 1],
  ['delete the file notes.txt', 1],
  ['rename all .txt files in docs to .md', 1],
])('asks once for one call: %s', async (goal, times) => {
  const place = Workspace.trusted({
    files: { 'notes.txt': 'one\n', 'docs/a.txt': 'two\n' },
  });
  const asked = await questionsOf(place, goal);
  expect(asked.map(({ kind, tool, question }) => [kind, tool, question])).toHaveLength(times);
});
