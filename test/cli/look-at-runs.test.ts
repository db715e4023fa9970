import { expect, test } from 'vitest';
import type { ExplainAnswer, ReplayAnswer, RunListItem } from '../../src/api/index.ts';
import { BRIEF, Workspace } from './oka-process.ts';

const CANONICAL = ['intake', 'explore', 'decide', 'act', 'validate', 'done'];

test('do writes a brief without a model and prints the run', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer('do', BRIEF);
  expect(exitCode).toBe(0);
  expect(Object.keys(data).sort()).toEqual(['output', 'run']);
  expect(data.run).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{26}$/),
    kind: 'agent',
    status: 'completed',
    outcome: 'checked',
    because: [expect.any(String)],
    state: 'done',
    undoable: true,
    goal: BRIEF,
    graphHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    startedAt: expect.any(Number),
    endedAt: expect.any(Number),
    budgets: {
      limits: expect.objectContaining({ steps: expect.any(Number) }),
      used: expect.objectContaining({ steps: expect.any(Number), tool_calls: expect.any(Number) }),
    },
    artifacts: [
      { name: 'BRIEF.md', mediaType: 'text/markdown', bytes: expect.any(Number), digest: expect.any(String) },
    ],
  });
  expect(data.run.endedAt).toBeGreaterThanOrEqual(data.run.startedAt);
  expect(data.output).toMatchObject({ brief: 'BRIEF.md', files: 3 });
  expect(workspace.text('BRIEF.md')).toMatch(/^# Brief of Garden\n/);
  await workspace.verified();
});

test('do --verbose shows the states live', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, stdout, stderr } = await workspace.oka('do', BRIEF, '--verbose');
  expect(exitCode).toBe(0);
  const states = stderr.split('\n').flatMap((line) => (line.startsWith('● ') ? [line.slice(2)] : []));
  expect(states).toEqual(CANONICAL);
  expect(stdout).toMatch(/^wrote BRIEF\.md, \d+ bytes [^\n]*\n$/);
});

test('list, show and explain describe a run, its steps and its reasons', async () => {
  const workspace = Workspace.trusted();
  const { data: made } = await workspace.answer('do', BRIEF);
  const { data: failed, exitCode } = await workspace.answer('do', 'dance');
  expect(exitCode).toBe(1);
  expect(failed.run).toMatchObject({ status: 'failed', failure: { code: 'agent.goal_not_understood' } });

  const { data: listed } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(listed.runs.map(({ id, status }) => ({ id, status }))).toEqual([
    { id: failed.run.id, status: 'failed' },
    { id: made.run.id, status: 'completed' },
  ]);
  const { data: some } = await workspace.answer<{ runs: RunListItem[] }>(
    'runs',
    'list',
    '--status',
    'failed',
  );
  expect(some.runs.map((run) => run.id)).toEqual([failed.run.id]);
  const { data: one } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list', '--limit', '1');
  expect(one.runs).toHaveLength(1);

  expect((await workspace.answer('runs', 'show', made.run.id)).data).toEqual(made);

  const { data: explained } = await workspace.answer<ExplainAnswer>('runs', 'explain', made.run.id);
  expect(explained.run).toEqual(made.run);
  expect(explained.timeline.map(({ state }) => state)).toEqual(CANONICAL);
  expect(explained.artifacts).toEqual(made.run.artifacts);
  expect(explained.cost).toEqual(made.run.budgets.used);
  expect(explained.actions.length).toBeGreaterThan(5);
  for (const [at, action] of explained.actions.entries()) {
    expect(action).toMatchObject({ step: at + 1, decision: expect.any(String), outcome: 'ok' });
    expect(action.rationale).not.toBe('');
    if (action.tool !== undefined) expect(action.verdicts.join()).toContain('policy allow');
  }

  const told = await workspace.oka('runs', 'explain', made.run.id);
  expect(told.stderr).toBe('');
  expect(told.stdout).toContain(`timeline  ${CANONICAL.join(' → ')}`);
  for (const action of explained.actions) expect(told.stdout).toContain(`why: ${action.rationale}`);
  for (const artifact of explained.artifacts) expect(told.stdout).toContain(artifact.digest);
});

test('an empty workspace says how to start', async () => {
  const workspace = Workspace.trusted();
  expect(await workspace.oka('runs', 'list')).toMatchObject({
    stdout: 'No runs yet. Start one with: oka do "<goal>"\n',
  });
  expect(await workspace.oka('approvals', 'list')).toMatchObject({ stdout: 'No pending approvals\n' });
});

test('a run can be narrated, decided again and executed again, and differences are reported', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  const replay = (mode: string) =>
    workspace.answer<ReplayAnswer>('runs', 'replay', data.run.id, '--as', mode, '--expect-equal');
  const events = await workspace.verified();

  const narrative = await replay('narrative');
  expect(narrative).toMatchObject({ exitCode: 0, data: { mode: 'narrative', equal: true } });
  expect(narrative.data.narrative?.[0]).toBe(`Run ${data.run.id} set out to: ${BRIEF}`);
  expect(narrative.data.narrative?.at(-1)).toBe('It completed in the state done.');
  const decision = await replay('decision');
  expect(decision).toMatchObject({ exitCode: 0, data: { mode: 'decision', equal: true, differences: [] } });
  expect(decision.data.compared).toBeGreaterThan(5);

  const brief = workspace.text('BRIEF.md');
  const full = await replay('full');
  expect(full).toMatchObject({ exitCode: 0, data: { mode: 'full', equal: true, differences: [] } });
  workspace.put('README.md', '# Another garden\n');
  const changed = await replay('full');
  expect(changed).toMatchObject({ exitCode: 7, data: { equal: false } });
  expect(changed.data.differences.length).toBeGreaterThan(0);
  const tolerant = await workspace.answer<ReplayAnswer>('runs', 'replay', data.run.id, '--as', 'full');
  expect(tolerant).toMatchObject({ exitCode: 0, data: { equal: false } });

  expect(await replay('decision')).toMatchObject({ exitCode: 0, data: { equal: true } });
  expect(workspace.text('BRIEF.md')).toBe(brief);
  expect(await workspace.verified()).toBe(events);
});

test('a simulation reports changes and changes nothing', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer('do', BRIEF, '--simulate');
  expect(exitCode).toBe(0);
  expect(data.run.status).toBe('completed');
  expect(data.wouldChange).toEqual([
    { path: 'BRIEF.md', change: 'created', bytes: expect.any(Number), diff: expect.any(String) },
  ]);
  expect(workspace.has('BRIEF.md')).toBe(false);
  expect((await workspace.answer('runs', 'list')).data).toMatchObject({ runs: [{ simulated: true }] });
  expect((await workspace.oka('do', BRIEF, '--dry-run')).stdout).toMatch(
    /simulated BRIEF\.md would be created/,
  );
});

test('doctor checks everything and lists the middleware in order', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer<{
    ok: boolean;
    checks: { name: string; ok: boolean }[];
    middleware: string[];
  }>('doctor');
  expect(data.checks.filter((check) => !check.ok && check.name !== 'disk')).toEqual([]);
  expect(data.checks.map((check) => check.name)).toEqual(
    expect.arrayContaining([
      'oka',
      'node',
      'sqlite',
      'workspace',
      'ledger',
      'disk',
      'sandbox',
      'drafts',
      'daemon',
    ]),
  );
  expect(data.middleware.slice(0, 4)).toEqual(['schema', 'eligibility', 'policy', 'cache']);
  expect(exitCode).toBe(data.ok ? 0 : 1);

  const untrusted = new Workspace();
  await untrusted.oka('init');
  expect(await untrusted.oka('doctor')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('run: oka init --trust'),
  });
});

test('a budget stops a run, and adding budget continues it', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer('do', BRIEF, '--budget', 'steps=4');
  expect(exitCode).toBe(5);
  expect(data.run).toMatchObject({ status: 'waiting', waitingFor: { what: 'budget' } });
  expect(data.run.waitingFor?.next).toMatch(/^oka runs resume \S+ --add-budget steps=\d+$/);
  const still = await workspace.answer('runs', 'resume', data.run.id);
  expect(still).toMatchObject({ exitCode: 5, data: { run: { status: 'waiting' } } });
  const done = await workspace.answer('runs', 'resume', data.run.id, '--add-budget', 'steps=50');
  expect(done).toMatchObject({ exitCode: 0, data: { run: { id: data.run.id, status: 'completed' } } });
  await workspace.verified();
});

test('start runs a first graph and prints next steps', async () => {
  const workspace = new Workspace();
  const { exitCode, stdout, stderr } = await workspace.oka('start', '--once');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^ {2}wrote \S+ \+\d+$/m);
  expect(stdout).toContain('✓ remember');
  expect(stdout).toMatch(/Done: BRIEF\.md describes \d+ files\./);
  const [, explain] = /npx oka (runs explain \S+)/.exec(stdout) as unknown as [string, string];
  expect(await workspace.oka(...explain.split(' '))).toMatchObject({ exitCode: 0 });
  await workspace.verified();
});

test('list --json has the same fields of a run as show', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  const { data: listed } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const { id, kind, status, state, goal, startedAt, endedAt, budgets, artifacts } = data.run;
  expect(listed.runs).toMatchObject([
    { id, kind, status, state, goal, startedAt, endedAt, budgets, artifacts },
  ]);
});
