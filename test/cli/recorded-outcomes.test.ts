import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { Workspace } from './oka-process.ts';

const KEYED = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: 'w-1.txt', content: 'once' },
      idempotency_key: 'w-1',
      next: 'end',
    },
    { node_id: 'end', type: 'end', input: '{{write}}' },
  ],
  { id: 'keyed' },
);

const child = { kind: 'agent', goal: 'list the files in docs' };
const CHILDREN = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'children' },
    {
      node_id: 'children',
      type: 'tool',
      tool: 'engine.run_children',
      args: { children: [child, child, child] },
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'family', defaults: { budgets: { children: 5 } } },
);

function workspace(): Workspace {
  return Workspace.trusted({
    files: {
      'b.txt': 'b\n',
      'docs/a.md': '# A\n',
      '.oka/graphs/keyed.json': JSON.stringify(KEYED),
      '.oka/graphs/family.json': JSON.stringify(CHILDREN),
    },
  });
}

const simulated = (place: Workspace, goal: string): Promise<{ data: RunAnswer }> =>
  place.answer('do', goal, '--simulate');

test('a simulation of a deletion lists the deletion, and that a person is asked first', async () => {
  const place = workspace();
  const { data } = await simulated(place, 'delete b.txt');
  expect(data).toMatchObject({
    effects: [{ kind: 'file', what: 'delete b.txt', tool: 'files.delete', asks: 'destructive' }],
    wouldChange: [{ path: 'b.txt', change: 'removed' }],
    wouldFail: [],
  });
  expect(place.has('b.txt')).toBe(true);
  const { stderr } = await place.oka('do', 'delete b.txt', '--simulate');
  expect(stderr).toContain('simulated: deleted b.txt');
});

test('a simulation lists a call that cannot run as refused, and not as an effect', async () => {
  const place = workspace();
  for (const [goal, why] of [
    ['run `sh -c ls`', 'would make a shell run a text'],
    ['run `no-such-program --x`', 'not found'],
    ['delete missing.txt', 'does not exist'],
  ] as const) {
    const { data } = await simulated(place, goal);
    const wouldFail = [{ outcome: 'refused', why: expect.stringContaining(why) }];
    expect(data, goal).toMatchObject({ effects: [], wouldFail });
  }
  const { stdout } = await place.oka('do', 'run `sh -c ls`', '--simulate');
  expect(stdout).toContain('would be refused: sh -c ls: "sh" would make a shell run a text');
});

test('nobody is asked about a call that cannot run', async () => {
  const place = workspace();
  for (const [goal, code] of [
    ['run `sh -c ls`', 'process.shell_refused'],
    ['run `no-such-program --x`', 'process.program_missing'],
    ['delete missing.txt', 'files.not_found'],
  ] as const) {
    const { exitCode, data } = await place.answer<RunAnswer>('do', goal);
    expect({ exitCode, code: data.run.failure?.code }, goal).toEqual({ exitCode: 1, code });
  }
  expect(place.count('approval.requested') + place.count('question.asked')).toBe(0);
});

test('a destructive call is asked about once, and done after one approval', async () => {
  const place = workspace();
  const { data } = await place.answer<RunAnswer>('do', 'delete b.txt');
  expect(data.run.waitingFor).toMatchObject({ what: 'approval', request: { effect: 'delete b.txt' } });
  const approved = await place.oka('approvals', 'approve', data.run.waitingFor?.approval ?? '');
  expect(approved.stderr).toContain('deleted b.txt');
  expect(place.has('b.txt')).toBe(false);
  expect(place.count('approval.requested') + place.count('question.asked')).toBe(1);
});

test('a reused outcome is not told as a write', async () => {
  const place = workspace();
  const [first, second] = [
    await place.oka('graph', 'run', 'keyed'),
    await place.oka('graph', 'run', 'keyed'),
  ];
  expect(first.stderr).toContain('wrote w-1.txt');
  expect(first.stderr).toContain('undo: oka runs undo');
  expect(second.stderr).not.toContain('wrote');
  expect(second.stderr).not.toContain('undo');
  expect(second.stderr).toContain(
    'already done by an earlier run, whose result was reused: files.write w-1.txt',
  );
});

test('the number of child runs is that of the runs that ran', async () => {
  const { stderr } = await workspace().oka('graph', 'run', 'family');
  expect(stderr).toContain('ran 3 child runs');
});

test('a schedule that is off fires when a person triggers it, and not by itself', async () => {
  const place = workspace();
  await place.answer('graph', 'schedule', 'add', 'keyed', '* * * * *');
  await place.answer('graph', 'schedule', 'off', 'keyed-1');
  const { exitCode, data } = await place.answer<RunAnswer>('graph', 'schedule', 'trigger', 'keyed-1');
  expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 0, status: 'completed' });
  expect(place.text('w-1.txt')).toBe('once');
});

test('a read that finds nothing is told as that in a run that succeeds, and a failure as a failure', async () => {
  const place = workspace();
  const { stderr, exitCode } = await place.oka('do', 'add the line "more" to notes.md');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('looked for notes.md: not there');
  expect(stderr).not.toContain('✗');
  const failed = await place.oka('do', 'read missing.md');
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/✗ .*missing\.md/) });
});

test('undo is offered exactly where it undoes something', async () => {
  const place = workspace();
  const report = await place.answer<RunAnswer>('do', 'list the files in docs');
  expect(report.data.run).not.toHaveProperty('undoable');
  const written = await place.answer<RunAnswer>('do', 'write "x" to x.txt');
  expect(written.data.run.undoable).toBe(true);
  await place.answer('runs', 'undo', written.data.run.id);
  const shown = await place.answer<RunAnswer>('runs', 'show', written.data.run.id);
  expect(shown.data.run).not.toHaveProperty('undoable');
});

test('every command that simulates says so, and tells each action as simulated', async () => {
  const place = workspace();
  const input = JSON.stringify({ path: 'x.txt', content: 'x' });
  for (const command of [
    ['graph', 'run', 'keyed'],
    ['tools', 'call', 'files.write', input],
    ['do', 'write "x" to x.txt'],
  ]) {
    const { stderr } = await place.oka(...command, '--simulate');
    expect(stderr).toContain('Simulation: nothing is changed.');
    expect(stderr).toMatch(/simulated: wrote (w-1|x)\.txt/);
  }
});

test('a folder that was there is not told as created, and there is nothing to undo', async () => {
  const place = workspace();
  const there = await place.oka('do', 'create the folder docs');
  expect(there.stderr).not.toContain('created');
  expect(there.stderr).not.toContain('undo');
  const { data } = await place.answer<RunAnswer>('do', 'create the folder new');
  expect(data.run.undoable).toBe(true);
  place.put('new/kept.txt', 'kept');
  const { stdout } = await place.oka('runs', 'undo', data.run.id);
  expect(stdout).toContain('new is not empty');
  expect(place.text('new/kept.txt')).toBe('kept');
});
