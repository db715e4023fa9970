import { expect, test } from 'vitest';
import type { ExplainAnswer, RunAnswer, RunListItem } from '../../src/api/index.ts';
import { Gate } from './gate.ts';
import { BRIEF, toAnswer, type Watched, Workspace } from './oka-process.ts';

/** A run that stands at a gate, before its first tool call. */
async function stopped(...args: string[]): Promise<{ workspace: Workspace; gate: Gate; working: Watched }> {
  const gate = new Gate();
  const workspace = Workspace.trusted({ config: { hooks: [gate.hook('before_node')] } });
  const working = workspace.start('do', BRIEF, ...args);
  await gate.reached();
  return { workspace, gate, working };
}

async function onlyRun(workspace: Workspace): Promise<RunListItem> {
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(data.runs).toHaveLength(1);
  return data.runs[0] as RunListItem;
}

/** Resumes the run to its end, and proves that it did everything once. */
async function expectCompletes(workspace: Workspace, run: string): Promise<void> {
  const resumed = await workspace.answer('runs', 'resume', run);
  expect(resumed).toMatchObject({ exitCode: 0, data: { run: { id: run, status: 'completed' } } });
  expect(workspace.text('BRIEF.md')).toMatch(/^# Brief of Garden\n/);
  await workspace.verified();
  expect(workspace.count('tool.intended')).toBe(1);
  expect(workspace.count('tool.completed')).toBe(1);
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s lets go of the run at its next boundary and exits %d', async (signal, exitCode) => {
  const { workspace, gate, working } = await stopped('--json');
  working.kill(signal);
  await gate.open();
  const ended = await working.ended;
  expect(ended).toMatchObject({ exitCode, signal: null });
  const { data } = toAnswer<RunAnswer>(ended);
  expect(data.run.status).toBe('pending');
  expect(data.run.ownerAlive).toBeUndefined();
  expect(workspace.has('BRIEF.md')).toBe(false);
  await workspace.verified();
  await expectCompletes(workspace, data.run.id);
});

test('a second signal ends it at once, and the run can still be resumed', async () => {
  const { workspace, gate, working } = await stopped();
  working.kill('SIGINT');
  working.kill('SIGTERM');
  const { exitCode } = await working.ended;
  expect([130, 143]).toContain(exitCode);
  await gate.open();
  await expectCompletes(workspace, (await onlyRun(workspace)).id);
});

test('a killed run is shown as stopped, and goes on where it was', async () => {
  const { workspace, gate, working } = await stopped();
  const alive = await onlyRun(workspace);
  expect(alive).toMatchObject({ status: 'running', ownerAlive: true });
  working.kill('SIGKILL');
  expect(await working.ended).toMatchObject({ signal: 'SIGKILL' });
  await gate.open();

  const { stdout } = await workspace.oka('runs', 'list');
  expect(stdout).toMatch(new RegExp(`${alive.id} +stopped `));
  expect(await onlyRun(workspace)).toMatchObject({ status: 'running', ownerAlive: false });
  expect((await workspace.oka('runs', 'show', alive.id)).stdout).toContain(`oka runs resume ${alive.id}`);
  await expectCompletes(workspace, alive.id);
  const { data } = await workspace.answer<ExplainAnswer>('runs', 'explain', alive.id);
  expect(data.notes.map((note) => note.what).join()).toMatch(/taken up by \d+@/);
});

test('a run killed between the intent and the outcome of its write writes once', async () => {
  const gate = new Gate();
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', 'write notes.txt');
  workspace.put('.oka/config.json', JSON.stringify({ hooks: [gate.hook('before_node')] }));
  const approving = workspace.start(
    'approvals',
    'approve',
    data.run.waitingFor?.approval as string,
    '--answer',
    'hello',
  );
  await gate.reached();
  approving.kill('SIGKILL');
  await approving.ended;
  await gate.open();
  expect(workspace.has('notes.txt')).toBe(false);

  const resumed = await workspace.answer('runs', 'resume', data.run.id);
  expect(resumed).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  expect(workspace.text('notes.txt')).toBe('hello');
  await workspace.verified();
  expect(workspace.count('tool.intended')).toBe(1);
  expect(workspace.count('tool.completed')).toBe(1);
});

test('a run can be paused and cancelled while another process works on it', async () => {
  const { workspace, gate, working } = await stopped('--json');
  const { id } = await onlyRun(workspace);
  const asked = await workspace.answer('runs', 'pause', id);
  expect(asked).toMatchObject({ exitCode: 0, data: { run: { status: 'running' } } });
  await gate.open();
  const { data } = toAnswer<RunAnswer>(await working.ended);
  expect(data.run.status).toBe('paused');
  await expectCompletes(workspace, id);

  const second = await stopped('--json');
  const run = await onlyRun(second.workspace);
  await second.workspace.answer('runs', 'cancel', run.id, '--reason', 'enough');
  await second.gate.open();
  const ended = await second.working.ended;
  expect(ended.exitCode).toBe(1);
  expect(toAnswer<RunAnswer>(ended).data.run).toMatchObject({
    status: 'cancelled',
    failure: { message: 'enough' },
  });
  expect(second.workspace.has('BRIEF.md')).toBe(false);
  await second.workspace.verified();
});
