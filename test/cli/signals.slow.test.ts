import { expect, test } from 'vitest';
import type { ExplainAnswer, RunAnswer, RunListItem } from '../../src/api/index.ts';
import { Gate } from './gate.ts';
import { BRIEF, toAnswer, type Watched, Workspace } from './oka-process.ts';

interface Stopped {
  readonly workspace: Workspace;
  readonly gate: Gate;
  readonly working: Watched;
}

/** A run that stands at a gate, in a hook of its first tool call, which reads. */
async function stopped(on = 'before_node', on_failure = 'ignore'): Promise<Stopped> {
  const gate = new Gate();
  const workspace = Workspace.trusted({ config: { hooks: [{ ...gate.hook(on), on_failure }] } });
  const working = workspace.start('do', BRIEF, '--json');
  await gate.reached();
  return { workspace, gate, working };
}

/** A run that stands at a gate between the intent and the outcome of its write. */
async function stoppedAtWrite(): Promise<Stopped & { run: string }> {
  const gate = new Gate();
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', 'write notes.txt');
  workspace.configure({ hooks: [gate.hook('before_node')] });
  const approval = data.run.waitingFor?.approval as string;
  const working = workspace.start('approvals', 'approve', approval, '--answer', 'hello', '--json');
  await gate.reached();
  return { workspace, gate, working, run: data.run.id };
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

async function expectWrittenOnce(workspace: Workspace, run: string): Promise<void> {
  const resumed = await workspace.answer('runs', 'resume', run);
  expect(resumed).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  expect(workspace.text('notes.txt')).toBe('hello');
  await workspace.verified();
  expect(workspace.count('tool.intended')).toBe(1);
  expect(workspace.count('tool.completed')).toBe(1);
}

test.each([
  ['SIGINT', 130, 'before_node', 'ignore'],
  ['SIGTERM', 143, 'before_node', 'fail'],
  ['SIGINT', 130, 'after_node', 'fail'],
] as const)(
  '%s releases the run and exits with %d, without waiting for its %s hook (%s)',
  async (signal, exitCode, on, onFailure) => {
    const { workspace, gate, working } = await stopped(on, onFailure);
    working.kill(signal);
    const ended = await working.ended;
    expect(ended).toMatchObject({ exitCode, signal: null });
    await gate.open();
    const { data } = toAnswer<RunAnswer>(ended);
    expect(data.run.status).toBe('paused');
    expect(workspace.has('BRIEF.md')).toBe(false);
    await workspace.verified();
    await expectCompletes(workspace, data.run.id);
  },
);

test('a second signal exits at once, and the run can still be resumed', async () => {
  const { workspace, gate, working, run } = await stoppedAtWrite();
  working.kill('SIGINT');
  working.kill('SIGTERM');
  const { exitCode } = await working.ended;
  expect([130, 143]).toContain(exitCode);
  await gate.open();
  expect(workspace.has('notes.txt')).toBe(false);
  await expectWrittenOnce(workspace, run);
});

test('a signal during a write takes effect after its outcome is recorded', async () => {
  const { workspace, gate, working, run } = await stoppedAtWrite();
  working.kill('SIGINT');
  await gate.open();
  const ended = await working.ended;
  expect(ended.exitCode).toBe(130);
  expect(toAnswer<RunAnswer>(ended).data.run.status).toBe('paused');
  expect(workspace.text('notes.txt')).toBe('hello');
  await expectWrittenOnce(workspace, run);
});

test('a killed run is shown as interrupted and resumes where it was', async () => {
  const { workspace, gate, working } = await stopped();
  const alive = await onlyRun(workspace);
  expect(alive).toMatchObject({ status: 'running' });
  working.kill('SIGKILL');
  expect(await working.ended).toMatchObject({ signal: 'SIGKILL' });
  await gate.open();

  const { stdout } = await workspace.oka('runs', 'list');
  expect(stdout).toMatch(new RegExp(`${alive.id.slice(-6)} +interrupted `));
  expect(await onlyRun(workspace)).toMatchObject({ status: 'interrupted' });
  expect((await workspace.oka('runs', 'show', alive.id)).stdout).toContain(
    `oka runs resume ${alive.id.slice(-6)}`,
  );
  await expectCompletes(workspace, alive.id);
  const { data } = await workspace.answer<ExplainAnswer>('runs', 'explain', alive.id);
  expect(data.notes.map((note) => note.what).join()).toMatch(/claimed by \d+@/);
});

test('a run killed during a write writes once', async () => {
  const { workspace, gate, working, run } = await stoppedAtWrite();
  working.kill('SIGKILL');
  await working.ended;
  await gate.open();
  expect(workspace.has('notes.txt')).toBe(false);
  await expectWrittenOnce(workspace, run);
});

test('a run can be paused and cancelled while another process works on it', async () => {
  const { workspace, gate, working } = await stopped();
  const { id } = await onlyRun(workspace);
  const asked = await workspace.answer('runs', 'pause', id);
  expect(asked).toMatchObject({ exitCode: 0, data: { run: { status: 'running' } } });
  await gate.open();
  const { data } = toAnswer<RunAnswer>(await working.ended);
  expect(data.run.status).toBe('paused');
  await expectCompletes(workspace, id);

  const second = await stopped();
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
