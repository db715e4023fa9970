import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { ExplainAnswer, RunListItem } from '../../src/api/index.ts';
import { BRIEF, Workspace } from './oka-process.ts';

const APPEND = ['sh', '-c', 'cat >> "$0"', 'events.jsonl'];
const say = (on: string, text: string, exitCode = 0) => ({
  on,
  command: ['sh', '-c', `echo "${text}"; exit ${exitCode}`],
});

interface HookEvent {
  hook: string;
  run: string;
  state: string;
  step: number;
  [field: string]: unknown;
}

function heard(workspace: Workspace): HookEvent[] {
  return workspace
    .text('events.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A command that no other process runs. */
const counter = { sleeps: 0 };
function uniqueSleep(): string {
  counter.sleeps += 1;
  return `sleep 600.${process.pid}${counter.sleeps}`;
}

/** Whether a command runs. Ids of processes differ in the sandbox. */
function isRunning(command: string): boolean {
  const lines = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines.some((line) => line.includes(command) && !line.startsWith('Z'));
}

async function notes(workspace: Workspace, run: string): Promise<string> {
  const { data } = await workspace.answer<ExplainAnswer>('runs', 'explain', run);
  return data.notes.map((note) => note.what).join('\n');
}

test('hooks receive the events as JSON on stdin, in order', async () => {
  const on = ['before_run', 'before_node', 'after_node', 'after_run', 'on_error'];
  const workspace = Workspace.trusted({
    config: { hooks: on.map((name) => ({ on: name, command: APPEND })) },
  });
  const { data } = await workspace.answer('do', 'read README.md');
  const run = data.run.id;
  const input = expect.objectContaining({ path: 'README.md' });
  expect(heard(workspace)).toEqual([
    { hook: 'before_run', run, kind: 'agent', goal: 'read README.md', state: 'intake', step: 1 },
    { hook: 'before_node', run, step: 2, state: 'explore', tool: 'files.read', input },
    { hook: 'after_node', run, step: 2, state: 'explore', tool: 'files.read', input, outcome: 'output' },
    expect.objectContaining({ hook: 'after_run', run, status: 'completed', output: expect.anything() }),
  ]);

  const failed = await workspace.answer('do', 'dance');
  expect(failed.exitCode).toBe(1);
  expect(heard(workspace).slice(4)).toEqual([
    expect.objectContaining({ hook: 'before_run', goal: 'dance' }),
    expect.objectContaining({ hook: 'on_error', status: 'failed', code: 'agent.goal_not_understood' }),
  ]);
});

test('hook output is recorded, and a failing hook is ignored by default', async () => {
  const workspace = Workspace.trusted({
    config: {
      hooks: [say('before_run', 'good morning'), say('after_node', 'oh no', 3), say('after_run', 'bye')],
    },
  });
  const { exitCode, data } = await workspace.answer('do', 'read README.md');
  expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 0, status: 'completed' });
  const told = await notes(workspace, data.run.id);
  expect(told).toMatch(/before_run: .+ ran: good morning/);
  expect(told).toMatch(/after_node: .+ failed: oh no/);
  expect(told).toMatch(/after_run: .+ ran: bye/);
  expect(workspace.count('hook.ran')).toBe(3);
  await workspace.verified();
});

test.each(['before_run', 'before_node', 'after_node'])(
  'a %s hook with on_failure fail ends the run',
  async (on) => {
    const workspace = Workspace.trusted({
      config: { hooks: [{ ...say(on, 'not today', 1), on_failure: 'fail' }] },
    });
    const { exitCode, data } = await workspace.answer('do', BRIEF);
    expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 1, status: 'failed' });
    expect(data.run.failure?.code).toBe('engine.hook_failed');
    expect(data.run.failure?.message).toContain('not today');
    expect(workspace.has('BRIEF.md')).toBe(false);
    await workspace.verified();
  },
);

test('an after_run hook with on_failure fail fails the run', async () => {
  const workspace = Workspace.trusted({
    config: { hooks: [{ ...say('after_run', 'not today', 1), on_failure: 'fail' }] },
  });
  const { exitCode, data } = await workspace.answer('do', BRIEF);
  expect({ exitCode, code: data.run.failure?.code }).toEqual({ exitCode: 1, code: 'engine.hook_failed' });
});

test('a hook that times out is killed with its children', async () => {
  const sleep = uniqueSleep();
  const workspace = Workspace.trusted({
    config: {
      hooks: [
        {
          on: 'before_run',
          command: ['sh', '-c', `${sleep} & echo started; wait`],
          // Long enough for a shell to start on a busy machine.
          timeout_ms: 2_000,
        },
      ],
    },
  });
  const { exitCode, data } = await workspace.answer('do', 'read README.md');
  expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 0, status: 'completed' });
  expect(await notes(workspace, data.run.id)).toMatch(/failed: started\s+stopped after 2000 ms/);
  expect(isRunning(sleep)).toBe(false);
});

test('a child of a hook that keeps its output open does not block the run', async () => {
  const sleep = uniqueSleep();
  const workspace = Workspace.trusted({
    config: {
      hooks: [{ on: 'before_run', command: ['sh', '-c', `${sleep} &`], timeout_ms: 2_000 }],
    },
  });
  const { data } = await workspace.answer('do', 'read README.md');
  expect(data.run.status).toBe('completed');
  expect(isRunning(sleep)).toBe(false);
});

test('a missing hook and one with endless output are recorded', async () => {
  const workspace = Workspace.trusted({
    config: {
      hooks: [
        { on: 'before_run', command: ['no-such-program-here'] },
        { on: 'after_run', command: ['sh', '-c', 'head -c 5000000 /dev/zero | tr "\\0" x'] },
      ],
    },
  });
  const { exitCode, data } = await workspace.answer('do', 'read README.md');
  expect(exitCode).toBe(0);
  const told = await notes(workspace, data.run.id);
  expect(told).toMatch(/no-such-program-here failed: Program "no-such-program-here" not found/);
  expect(told.length).toBeLessThan(50_000);
});

test('a hook that reads nothing does not break the run', async () => {
  const workspace = Workspace.trusted({
    config: { hooks: [{ on: 'before_node', command: ['true'] }] },
    files: { 'README.md': 'x'.repeat(200_000) },
  });
  expect(await workspace.answer('do', BRIEF)).toMatchObject({ exitCode: 0 });
});

test('a hook may be a module, and gets a clean environment and the workspace as working directory', async () => {
  const workspace = Workspace.trusted({
    config: { hooks: [{ on: 'before_run', command: ['./hook.mjs', 'argument'] }] },
  });
  workspace.put(
    'hook.mjs',
    `let text = '';
     for await (const chunk of process.stdin) text += chunk;
     const { goal } = JSON.parse(text);
     console.log(JSON.stringify({ goal, cwd: process.cwd(), argument: process.argv[2], secret: process.env.SECRET ?? null }));`,
  );
  const env = { SECRET: 'do not tell' };
  const { exitCode } = await workspace.okaWith({ env }, 'do', 'read README.md');
  expect(exitCode).toBe(0);
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const told = await notes(workspace, data.runs[0]?.id as string);
  const printed = JSON.parse(told.slice(told.indexOf('{')));
  expect(printed).toEqual({
    goal: 'read README.md',
    cwd: workspace.root,
    argument: 'argument',
    secret: null,
  });
});

test('hooks run once per resume of a node, and not in simulations', async () => {
  const workspace = Workspace.trusted({ config: { hooks: [{ on: 'before_run', command: APPEND }] } });
  await workspace.answer('do', BRIEF, '--simulate');
  expect(workspace.has('events.jsonl')).toBe(false);
  const { data } = await workspace.answer('do', BRIEF, '--budget', 'steps=3');
  await workspace.answer('runs', 'resume', data.run.id, '--add-budget', 'steps=50');
  expect(heard(workspace).map((event) => event.hook)).toEqual(['before_run']);
});
