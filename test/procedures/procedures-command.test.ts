import { expect, test } from 'vitest';
import type {
  ProcedureExplainAnswer,
  ProcedureListAnswer,
  RunAnswer,
  ScoreReport,
} from '../../src/api/index.ts';
import { Workspace } from '../cli/oka-process.ts';

const FOLDERS = ['garden', 'kitchen', 'cellar'];
const files = Object.fromEntries(
  FOLDERS.map((folder) => [`${folder}/plan.ts`, `// TODO tidy the ${folder}\n`]),
);
const goal = (folder: string): string => `collect all TODOs in ${folder} into ${folder}.md`;

test('three goals of one kind become a candidate with visible figures, and a correction demotes it', async () => {
  const workspace = Workspace.trusted({ files });
  const runs: string[] = [];
  for (const folder of FOLDERS) {
    await workspace.answer('do', goal(folder), '--simulate');
    const { data } = await workspace.answer<RunAnswer>('do', goal(folder));
    expect(data.run.status).toBe('completed');
    runs.push(data.run.id);
    await workspace.answer('runs', 'replay', data.run.id, '--as', 'full');
    const { data: scored } = await workspace.answer<ScoreReport>('procedures', 'score');
    expect(scored.proposed).toHaveLength(folder === 'cellar' ? 1 : 0);
  }
  const { data: list } = await workspace.answer<ProcedureListAnswer>('procedures', 'list');
  const [learned] = list.procedures.filter(({ origin }) => origin === 'promoted');
  expect(learned).toMatchObject({
    status: 'candidate',
    trigger: { phrases: ['collect all todos in {{path1}} into {{path2}}'] },
  });
  const id = learned?.id ?? '';
  const { data: explained } = await workspace.answer<ProcedureExplainAnswer>('procedures', 'explain', id);
  expect(explained).toMatchObject({
    precedents: runs,
    evidence: {
      with: { executions: 0 },
      without: { executions: 3, runs, rejections: 0, approvals: 0, refusals: 0 },
    },
    history: [{ what: 'proposed' }],
  });
  expect(explained.evidence?.without.medianMs).toBeGreaterThan(0);
  expect(explained.waitsFor.join()).toMatch(/0 of 3 independent executions/);
  const { stdout } = await workspace.oka('procedures', 'explain', id);
  expect(stdout).toMatch(/^without it +3 +\d+\.\d{3} s +0 +0 +0$/m);
  expect(stdout).toMatch(/^not yet /m);

  await workspace.answer('runs', 'correct', runs[0] ?? '', 'not like this');
  const { data: scored } = await workspace.answer<ScoreReport>('procedures', 'score');
  expect(scored.demoted).toEqual([id]);
  await workspace.answer('procedures', 'forget', id);
  const { error } = await workspace.refusal('procedures', 'explain', id);
  expect(error.code).toBe('procedures.unknown');
  await workspace.verified();
});

const WRITTEN = `---
triggers:
  - write the weekly report into {{path1}}
steps:
  - title: read the template
    tool: files.read
    input: { path: template.md }
  - title: write it
    acceptance:
      - file_exists: "{{path1}}"
---
Once a week.
`;
const BROKEN = `---
triggers: [tidy up]
step:
  - title: sweep
steps:
  - title: sweep
    input: { path: "{{broom}}" }
---
`;

test('procedures that people wrote are used in a trusted workspace, with every problem by file and line', async () => {
  const own = { '.oka/procedures/weekly-report.md': WRITTEN, '.oka/procedures/tidy.md': BROKEN };
  const workspace = Workspace.trusted({ files: own });
  const { data } = await workspace.answer<ProcedureListAnswer>('procedures', 'list');
  expect(data.procedures.filter(({ origin }) => origin === 'file')).toMatchObject([
    {
      id: 'file.weekly-report',
      status: 'given',
      description: 'Once a week.',
      path: '.oka/procedures/weekly-report.md',
      basis: { tools: [{ name: 'files.read' }] },
    },
  ]);
  expect(data.faults.map(({ path, line, message }) => [path, line, message])).toEqual([
    ['.oka/procedures/tidy.md', 4, 'there is no field "step"'],
    ['.oka/procedures/tidy.md', 7, 'the step has an input and no tool'],
    ['.oka/procedures/tidy.md', 7, '{{broom}} is not a slot that a goal can fill'],
  ]);
  const { error } = await workspace.refusal('procedures', 'forget', 'weekly-report');
  expect(error).toMatchObject({ code: 'procedures.not_learned' });
  expect(error.message).toContain('Delete the file .oka/procedures/weekly-report.md');
  const stranger = new Workspace({ root: workspace.root });
  const { data: seen } = await stranger.answer<ProcedureListAnswer>('procedures', 'list');
  expect(seen).toMatchObject({ trusted: false, faults: [] });
  expect(seen.procedures.filter(({ origin }) => origin === 'file')).toEqual([]);
});
