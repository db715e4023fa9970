import { expect, onTestFinished, test } from 'vitest';
import {
  type ApprovalView,
  type EventView,
  type RunAnswer,
  type RunListItem,
  shortenIds,
  shortId,
  type UndoAnswer,
} from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { kill } from '../support/kill.ts';
import { Gate } from './gate.ts';
import { Workspace, type WorkspaceOptions } from './oka-process.ts';

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };

/** Asks before it writes the file that it is given. */
const ASK = defineGraph(
  [
    START,
    { node_id: 'a', type: 'approval', question: 'Write {{input}}?', next: 'b' },
    {
      node_id: 'b',
      type: 'tool',
      tool: 'files.write',
      args: { path: '{{input}}', content: 'new {{input}}' },
      next: 'end',
    },
    END,
  ],
  { id: 'ask' },
);

/** Writes the file that it is given. */
const WRITE = defineGraph(
  [
    START,
    {
      node_id: 'a',
      type: 'tool',
      tool: 'files.write',
      args: { path: '{{input.path}}', content: '{{input.content}}' },
      next: 'b',
    },
    { node_id: 'b', type: 'tool', tool: 'files.read', args: { path: '{{input.path}}' }, next: 'end' },
    END,
  ],
  { id: 'write' },
);

const mapOver = (graph: string, id: string) =>
  defineGraph(
    [
      START,
      { node_id: 'a', type: 'map', items: '{{input}}', graph, concurrency: 1, max_items: 9, next: 'end' },
      END,
    ],
    { id },
  );

const GRAPHS: Readonly<Record<string, object>> = {
  ask: ASK,
  write: WRITE,
  'ask-each': mapOver('ask', 'ask-each'),
  'write-each': mapOver('write', 'write-each'),
};

function workspace(options: Pick<WorkspaceOptions, 'config'> = {}): Workspace {
  const graphs = Object.entries(GRAPHS).map(([id, graph]) => [
    `.oka/graphs/${id}.json`,
    JSON.stringify(graph),
  ]);
  return Workspace.trusted({
    files: { 'README.md': '# Garden\n', ...Object.fromEntries(graphs) },
    ...options,
  });
}

function runGraph(place: Workspace, graph: string, input: unknown, ...args: string[]) {
  place.put('input.json', JSON.stringify(input));
  return place.answer<RunAnswer>('graph', 'run', graph, '--input', place.at('input.json'), ...args);
}

const items = (...paths: string[]) => paths.map((path) => ({ path, content: `new ${path}` }));

const statuses = async (place: Workspace): Promise<string[]> =>
  (await place.answer<{ runs: RunListItem[] }>('runs', 'list')).data.runs.map(({ status }) => status).sort();

test('a root run whose children wait for answers exits with 4 and names each child, question and command', async () => {
  const place = workspace();
  const { exitCode, data } = await runGraph(place, 'ask-each', ['a.txt', 'b.txt']);
  const { blockers = [], waitingFor, id: root } = data.run;
  expect(exitCode).toBe(4);
  expect(blockers).toMatchObject(
    ['a.txt', 'b.txt'].map((path) => ({
      run: expect.any(String),
      what: 'answer',
      detail: `Write ${path}?`,
      approval: expect.any(String),
      next: expect.stringMatching(/^oka approvals approve \S+ --answer …$/),
    })),
  );
  expect(waitingFor).toMatchObject({
    what: 'answer',
    run: blockers[0]?.run,
    approval: blockers[0]?.approval,
  });

  const shown = await place.oka('runs', 'show', root);
  for (const { run, detail, next } of blockers)
    expect(shown.stdout).toContain(
      `waits for run ${shortId(run)}: ${detail}\nnext      ${shortenIds(next)}\n`,
    );
  expect((await place.oka('runs', 'list')).stdout).toMatch(
    new RegExp(`^${shortId(root)} +waiting \\(answer\\) `, 'm'),
  );
  const { data: listed } = await place.answer<{ approvals: ApprovalView[] }>('approvals', 'list');
  expect(listed.approvals.map((approval) => [approval.run, approval.root])).toEqual(
    blockers.map(({ run }) => [run, root]),
  );
  expect((await place.oka('approvals', 'list', '--run', root)).stdout.split(shortId(root))).toHaveLength(3);

  const several = await place.refusal('approvals', 'approve', root, '--answer', 'yes');
  expect(several).toMatchObject({ exitCode: 3, error: { code: 'engine.approval_ambiguous' } });
  for (const { approval, detail } of blockers)
    expect(several.error.message).toContain(`${approval} (${detail})`);
  const [first, second] = blockers;
  const one = await place.answer('approvals', 'approve', first?.approval ?? '', '--answer', 'yes');
  expect(one).toMatchObject({ exitCode: 0, data: { run: { id: first?.run, status: 'completed' } } });
  expect((await place.answer('runs', 'resume', root)).data.run).toMatchObject({
    waitingFor: { run: second?.run },
    blockers: [{ run: second?.run }],
  });
  const last = await place.answer('approvals', 'approve', root, '--answer', 'yes');
  expect(last).toMatchObject({ exitCode: 0, data: { run: { id: root, status: 'completed' } } });
  expect(last.data.run.artifacts.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  expect(await place.refusal('approvals', 'approve', root)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.unknown_approval' },
  });
  await place.verified();
});

test('a root run whose children wait for budget exits with 5, and budget added to it reaches them', async () => {
  const place = workspace();
  const parked = await runGraph(place, 'write-each', items('a', 'b', 'c'), '--budget', 'tool_calls=3');
  const { id: root, blockers } = parked.data.run;
  expect(parked.exitCode).toBe(5);
  expect(blockers).toEqual([
    expect.objectContaining({
      what: 'budget',
      detail: 'the budget tool_calls is used up',
      runs: 2,
      next: `oka runs resume ${root} --add-budget tool_calls=2`,
    }),
  ]);
  const more = await place.answer('runs', 'resume', root, '--add-budget', 'tool_calls=2');
  expect(more).toMatchObject({ exitCode: 5, data: { run: { budgets: { limits: { tool_calls: 5 } } } } });
  const child = more.data.run.blockers?.[0]?.run ?? '';
  const done = await place.answer('runs', 'resume', child, '--add-budget', 'tool_calls=2');
  expect(done).toMatchObject({ exitCode: 0, data: { run: { id: child, status: 'completed' } } });
  const { data } = await place.answer('runs', 'show', root);
  expect(data.run).toMatchObject({
    status: 'completed',
    budgets: { limits: { tool_calls: 7 }, used: { tool_calls: 7 } },
  });
  expect(['a', 'b', 'c'].map((path) => place.text(path))).toEqual(['new a', 'new b', 'new c']);
  await place.verified();
});

test('pause, resume and cancel of a root run reach its children', async () => {
  const place = workspace();
  const { data } = await runGraph(place, 'ask-each', ['a.txt', 'b.txt']);
  const { id: root, blockers = [] } = data.run;
  expect((await place.answer('runs', 'pause', root)).exitCode).toBe(0);
  expect(await statuses(place)).toEqual(['paused', 'paused', 'paused']);
  for (const { approval = '' } of blockers)
    await place.answer('approvals', 'approve', approval, '--answer', 'yes');
  expect(place.has('a.txt')).toBe(false);
  expect(await place.answer('runs', 'resume', root)).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'completed' } },
  });
  expect(place.has('a.txt') && place.has('b.txt')).toBe(true);

  const other = await runGraph(place, 'ask-each', ['c.txt', 'd.txt']);
  await place.answer('runs', 'cancel', other.data.run.id);
  expect(await statuses(place)).toEqual([...Array(3).fill('cancelled'), ...Array(3).fill('completed')]);
  await place.verified();
});

test('undo of a root run restores the files of all its children, newest change first', async () => {
  const place = workspace();
  place.put('a', 'old');
  const changes = [...items('a', 'b'), { path: 'a', content: 'newer' }];
  const { data } = await runGraph(place, 'write-each', changes);
  expect(place.text('a')).toBe('newer');
  place.put('b', 'edited later');
  const partly = await place.answer<UndoAnswer>('runs', 'undo', data.run.id);
  expect(partly.exitCode).toBe(1);
  expect(partly.data.changes.map(({ restored, what }) => [restored, what])).toEqual([
    [true, 'restored a'],
    [false, expect.stringMatching(/^b .*changed after the run/)],
    [true, 'restored a'],
  ]);
  expect(new Set(partly.data.changes.map(({ run }) => run)).size).toBe(3);
  expect([place.text('a'), place.text('b')]).toEqual(['old', 'edited later']);
  const failed = partly.data.changes[1];
  const forced = await place.oka('runs', 'undo', data.run.id, '--force');
  expect(forced.exitCode).toBe(0);
  expect(forced.stdout).toMatch(
    new RegExp(`✓ removed b, which the run had created {2}\\(run ${shortId(failed?.run ?? '')}\\)`),
  );
  expect([place.text('a'), place.has('b')]).toEqual(['old', false]);
  expect(await place.refusal('runs', 'undo', data.run.id)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.nothing_to_undo' },
  });
  await place.verified();
});

const runsIn = (events: readonly EventView[]): Set<string> => new Set(events.map(({ stream }) => stream));

test('the live output of a run contains only events of its tree, even if other runs share its process', async () => {
  const gate = new Gate();
  const { on, command } = gate.hook('before_run');
  // A hook that finds the gate open continues.
  const hook = { on, command: command.with(2, `${command[2]} || true`) };
  const place = workspace({ config: { hooks: [hook] } });
  const { data } = await place.answer<{ pid: number }>('up');
  onTestFinished(() => kill(data.pid));
  place.put('input.json', JSON.stringify(items('a', 'b')));
  const [first, second] = [
    ['graph', 'run', 'write-each', '--input', place.at('input.json'), '--stream-json'],
    ['graph', 'run', 'write-each', '--input', place.at('input.json'), '--stream-json'],
  ].map((args) => place.start(...args));
  await first?.said('run.started', 'stdout');
  await second?.said('run.started', 'stdout');
  await gate.reached();
  await gate.open();
  for (const one of [first, second]) {
    const { exitCode, stdout } = (await one?.ended) ?? {};
    expect(exitCode).toBe(0);
    const lines = (stdout ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const root = lines.pop().data.run.id as string;
    const started = lines.filter(({ type }: EventView) => type === 'run.started');
    expect(started.map(({ data: { lineage } }) => lineage.root)).toEqual([root, root, root]);
    const own = [`budget/${root}`, ...started.map(({ stream }: EventView) => stream)];
    expect(runsIn(lines)).toEqual(new Set(own));
    expect(lines.filter(({ type }: EventView) => type === 'run.completed')).toHaveLength(3);
  }
});

test('a goal waits, is approved and is undone with its tasks', async () => {
  const task = (id: string) => ({
    id,
    title: `write ${id}`,
    depends_on: id === 'one' ? [] : ['one'],
    acceptance: [{ file_contains: { path: `${id}.md`, text: id } }],
  });
  const write = (id: string) => ({
    role: 'executor',
    when: `write ${id}`,
    once: true,
    tool_calls: [{ tool: 'files.write', input: { path: `${id}.md`, content: id } }],
  });
  const done = { role: 'executor', text: 'It is there.' };
  const planned = { role: 'planner', json: { goal: 'notes', tasks: [task('one'), task('two')] } };
  const script = { turns: [planned, write('two'), write('one'), done] };
  const place = Workspace.trusted({
    files: { 'script.json': JSON.stringify(script) },
    config: { models: { actor: { provider: 'scripted', script: 'script.json' } } },
  });
  const parked = await place.answer('do', 'leave two notes', '--autonomy', 'manual');
  const { id: goal, blockers = [] } = parked.data.run;
  expect(parked.exitCode).toBe(4);
  expect(blockers).toMatchObject([{ what: 'approval', request: { tool: 'files.write' } }]);
  const next = await place.answer('approvals', 'approve', goal);
  expect(next).toMatchObject({ exitCode: 4, data: { run: { id: goal, blockers: [{ what: 'approval' }] } } });
  expect(next.data.run.blockers?.[0]?.run).not.toBe(blockers[0]?.run);
  const end = await place.answer('approvals', 'approve', goal);
  expect(end).toMatchObject({ exitCode: 0, data: { run: { id: goal, status: 'completed' } } });
  expect(end.data.run.artifacts.map(({ name }) => name)).toEqual(['one.md', 'two.md']);
  const { data } = await place.answer<UndoAnswer>('runs', 'undo', goal);
  expect(data.changes.map(({ what }) => what.slice(0, 14))).toEqual(['removed two.md', 'removed one.md']);
  expect(place.has('one.md') || place.has('two.md')).toBe(false);
});
