import { expect, test } from 'vitest';
import type { ReplayAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const NAMES = ['before_run', 'before_node', 'after_node', 'after_run', 'on_error'];
const HOOKS = NAMES.map((on) => ({ on, command: ['sh', '-c', 'cat >> "$0"', 'heard.jsonl'] }));

const condition = (right: number) => ({
  node_id: 'large',
  type: 'typed_condition',
  left: '{{last.bytes}}',
  operator: 'gt',
  right,
  if_true: 'shape',
  if_false: 'missing',
});

const hooked = (right: number) =>
  defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'read' },
      { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'README.md' }, next: 'large' },
      condition(right),
      { node_id: 'shape', type: 'transform', expression: '{"n": bytes}', next: 'write' },
      {
        node_id: 'write',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'size.txt', content: 'n: {{last.n}}' },
        next: 'end',
      },
      { node_id: 'missing', type: 'tool', tool: 'files.read', args: { path: 'none.txt' }, next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    { id: 'hooked' },
  );

interface Heard {
  hook: string;
  state: string;
  tool?: string;
  outcome?: string;
  status?: string;
  code?: string;
}

async function heard(right: number): Promise<{ workspace: Workspace; events: Heard[] }> {
  const workspace = Workspace.trusted({
    files: { ...SMALL_PROJECT, '.oka/graphs/hooked.json': JSON.stringify(hooked(right)) },
    config: { hooks: HOOKS },
  });
  await workspace.answer('graph', 'run', 'hooked');
  const lines = workspace.text('heard.jsonl').trimEnd().split('\n');
  return { workspace, events: lines.map((line) => JSON.parse(line) as Heard) };
}

const around = (events: readonly Heard[], state: string) =>
  events.filter((event) => event.state === state && event.hook.endsWith('_node')).map(({ hook }) => hook);

test('replaying a run with hooks does not call them', async () => {
  const { workspace } = await heard(5);
  const { data: list } = await workspace.answer<{ runs: readonly { id: string }[] }>('runs', 'list');
  const id = list.runs[0]?.id as string;
  for (const mode of ['full', 'decision']) {
    const { data } = await workspace.answer<ReplayAnswer>('runs', 'replay', id, '--as', mode);
    expect(data).toMatchObject({ mode, equal: true, differences: [] });
  }
});

test('hooks run before and after tool, condition and transform nodes alike', async () => {
  const { workspace, events } = await heard(5);
  for (const state of ['start', 'read', 'large', 'shape', 'write'])
    expect({ state, hooks: around(events, state) }).toEqual({ state, hooks: ['before_node', 'after_node'] });
  expect(around(events, 'missing')).toEqual([]);
  expect(events.find(({ hook, state }) => hook === 'before_node' && state === 'read')?.tool).toBe(
    'files.read',
  );
  expect(events.find(({ hook, state }) => hook === 'after_node' && state === 'large')?.outcome).toBe(
    'output',
  );
  const order = events.map(({ hook }) => hook);
  expect(order[0]).toBe('before_run');
  expect(order.at(-1)).toBe('after_run');
  expect(order.filter((name) => name.endsWith('_run') || name === 'on_error')).toEqual([
    'before_run',
    'after_run',
  ]);
  await workspace.verified();
});

test('a hook after a node receives its failure', async () => {
  const { events } = await heard(5_000);
  expect(around(events, 'missing')).toEqual(['before_node', 'after_node']);
  expect(events.find(({ hook, state }) => hook === 'after_node' && state === 'missing')?.outcome).toBe(
    'failure',
  );
});

test('hooks receive the failure of a run once', async () => {
  const { events } = await heard(5_000);
  expect(events.filter(({ hook }) => ['before_run', 'after_run', 'on_error'].includes(hook))).toEqual([
    expect.objectContaining({ hook: 'before_run' }),
    expect.objectContaining({ hook: 'on_error', status: 'failed', code: 'files.not_found' }),
  ]);
});

test('a hook with on_failure fail ends the run at a condition as at a tool', async () => {
  const strict = { on: 'before_node', on_failure: 'fail' };
  const command = ['sh', '-c', 'grep -q \'"state":"large"\' && echo "not here" && exit 1; exit 0'];
  const workspace = Workspace.trusted({
    files: { ...SMALL_PROJECT, '.oka/graphs/hooked.json': JSON.stringify(hooked(5)) },
    config: { hooks: [{ ...strict, command }] },
  });
  const { exitCode, data } = await workspace.answer('graph', 'run', 'hooked');
  expect({ exitCode, code: data.run.failure?.code }).toEqual({ exitCode: 1, code: 'engine.hook_failed' });
  expect(data.run.failure?.message).toContain('not here');
  expect(workspace.has('size.txt')).toBe(false);
});

test('a simulated run calls no hook', async () => {
  const workspace = Workspace.trusted({
    files: { ...SMALL_PROJECT, '.oka/graphs/hooked.json': JSON.stringify(hooked(5)) },
    config: { hooks: HOOKS },
  });
  expect((await workspace.answer('graph', 'run', 'hooked', '--simulate')).exitCode).toBe(0);
  expect(workspace.has('heard.jsonl')).toBe(false);
});
