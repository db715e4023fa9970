import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EffectView, ExplainAnswer, ReplayAnswer, RunAnswer, RunListItem } from '../../src/api/index.ts';
import { withoutSandbox } from '../safety/programs-kit.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { Workspace } from './oka-process.ts';

const tool = (id: string, name: string, args: object, next: string, more: object = {}) => ({
  node_id: id,
  type: 'tool',
  tool: name,
  args,
  next,
  ...more,
});

/** A child run that runs a program. */
const PART = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'test' },
    tool(
      'test',
      'process.run',
      { argv: ['npm', 'test', 'two words'], cwd: 'app', network: { hosts: ['example.org'] } },
      'end',
    ),
    { node_id: 'end', type: 'end' },
  ],
  { id: 'part' },
);

/** One effect of each kind; the second file step reads what the first wrote. */
const ALL = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'write' },
    tool('write', 'files.write', { path: 'app/list.txt', content: 'one\n2\n' }, 'edit'),
    tool('edit', 'files.edit', { path: 'app/list.txt', old: '2', new: 'two' }, 'remove'),
    tool('remove', 'files.delete', { path: 'old.txt' }, 'post'),
    tool('post', 'http.fetch', { url: 'http://127.0.0.1:1/x', method: 'POST', body: 'hi' }, 'remember'),
    tool('remember', 'memory.remember', { text: 'the sky is blue' }, 'state'),
    { node_id: 'state', type: 'write_state', key: 'word', value: 'green', next: 'say' },
    tool('say', 'chat.send', { conversation: 'team', text: 'done' }, 'part'),
    { node_id: 'part', type: 'subgraph', graph: 'part', next: 'end' },
    { node_id: 'end', type: 'end', input: { digest: '{{edit.digest}}' } },
  ],
  { id: 'all' },
);

const FILES = {
  'app/list.txt': 'one\n',
  'old.txt': 'old\n',
  '.oka/graphs/all.json': JSON.stringify(ALL),
  '.oka/graphs/part.json': JSON.stringify(PART),
};

const briefly = ({ effects = [] }: RunAnswer) =>
  effects.map(({ kind, what, asks, withheld }) => ({ kind, what, asks, withheld }));

test('a simulation lists every effect of its tree, with a diff of each file over all steps', async () => {
  const place = Workspace.trusted({ files: FILES });
  await place.answer('chat', 'new', 'team');
  const before = place.mirror().length;
  const { exitCode, data } = await place.answer('graph', 'run', 'all', '--simulate');
  expect({ exitCode, run: data.run }).toMatchObject({ exitCode: 0, run: { simulated: true } });
  expect(briefly(data)).toEqual([
    { kind: 'file', what: 'write app/list.txt' },
    { kind: 'file', what: 'edit app/list.txt' },
    { kind: 'file', what: 'delete old.txt', asks: 'destructive' },
    { kind: 'request', what: 'POST http://127.0.0.1:1/x', asks: 'external_mutation', withheld: true },
    { kind: 'memory', what: 'remember: the sky is blue', withheld: true },
    { kind: 'state', what: 'set word of all to "green"' },
    { kind: 'message', what: 'to team: done' },
    {
      kind: 'program',
      what: 'npm test "two words" (reaches the hosts example.org)',
      asks: 'untrusted_content',
      withheld: true,
    },
  ]);
  const [request, program] = [data.effects?.[3], data.effects?.[7]] as EffectView[];
  expect(request).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:1/x', run: data.run.id });
  expect(program).toMatchObject({ argv: ['npm', 'test', 'two words'], cwd: 'app' });
  expect(program?.run).not.toBe(data.run.id);
  expect(data.wouldChange).toMatchObject([
    { path: 'app/list.txt', change: 'changed', diff: expect.stringContaining('@@\n one\n+two\n') },
    { path: 'old.txt', change: 'removed', diff: expect.stringContaining('\n-old\n') },
  ]);

  expect([place.text('app/list.txt'), place.text('old.txt')]).toEqual(['one\n', 'old\n']);
  const added = place.mirror().slice(before);
  expect(added.map(({ type }) => type)).toEqual(['simulation.recorded', 'simulation.recorded']);
  const { stdout } = await place.oka('runs', 'show', data.run.id);
  expect(stdout).toMatch(
    /program +npm test "two words" \(reaches the hosts example\.org\) +in app +step \d+ of run \S+ +not made/,
  );
  expect(stdout).toContain('+two');
  await place.verified();
});

test.skipIf(withoutSandbox)(
  'a simulated program runs on the simulated files, and the report shows what it changed',
  async () => {
    const sort = defineGraph(
      [
        { node_id: 'start', type: 'start', next: 'write' },
        tool('write', 'files.write', { path: 'list.txt', content: 'b\na\n' }, 'sort'),
        tool('sort', 'process.run', { argv: ['sort', '-o', 'sorted.txt', 'list.txt', 'old.txt'] }, 'count'),
        tool('count', 'process.run', { argv: ['wc', '-l', 'sorted.txt'] }, 'end'),
        { node_id: 'end', type: 'end', input: { count: '{{count.stdout}}' } },
      ],
      { id: 'sort' },
    );
    const place = Workspace.trusted({
      files: { 'old.txt': 'old\n', '.oka/graphs/sort.json': JSON.stringify(sort) },
    });
    const { exitCode, data } = await place.answer('graph', 'run', 'sort', '--simulate');
    expect({ exitCode, output: data.output }).toEqual({ exitCode: 0, output: { count: '3 sorted.txt\n' } });
    expect(briefly(data)).toEqual([
      { kind: 'file', what: 'write list.txt' },
      { kind: 'program', what: 'sort -o sorted.txt list.txt old.txt' },
      { kind: 'program', what: 'wc -l sorted.txt' },
    ]);
    expect(data.wouldChange).toMatchObject([
      { path: 'list.txt', change: 'created' },
      { path: 'sorted.txt', change: 'created', diff: expect.stringContaining('\n+a\n+b\n+old\n') },
    ]);
    expect(place.has('sorted.txt')).toBe(false);
    const { stdout } = await place.oka('runs', 'show', data.run.id);
    expect(stdout).toMatch(/program +wc -l sorted\.txt +in \. +step \d+ +ran on a draft\n/);
    await place.verified();
  },
);

test('a simulated run is kept, marked and explained, and is never continued, undone or counted', async () => {
  const place = Workspace.trusted({ files: FILES });
  await place.answer('chat', 'new', 'team');
  const { data } = await place.answer('graph', 'run', 'all', '--simulate');
  const { id } = data.run;
  const child = data.effects?.[7]?.run ?? '';

  const { data: list } = await place.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(list.runs.map((run) => [run.id, run.simulated])).toEqual([
    [child, true],
    [id, true],
  ]);
  expect((await place.oka('runs', 'list')).stdout).toMatch(/completed \(simulated\)/);
  expect((await place.answer('runs', 'show', id)).data).toEqual(data);
  expect((await place.answer('runs', 'show', child)).data.effects).toEqual([data.effects?.[7]]);
  const { data: told } = await place.answer<ExplainAnswer>('runs', 'explain', id);
  expect(told).toMatchObject({ run: { simulated: true }, effects: data.effects });
  expect(told.actions.map((action) => action.tool)).toContain('http.fetch');
  const explained = (await place.oka('runs', 'explain', id)).stdout;
  expect(explained).toContain('simulated: it changed nothing');
  expect(explained).toMatch(/request +POST http/);
  const { data: narrated } = await place.answer<ReplayAnswer>('runs', 'replay', id);
  expect(narrated.narrative?.[0]).toBe('This run was only simulated. It changed nothing.');

  for (const run of [id, child]) {
    expect(await place.refusal('runs', 'undo', run)).toMatchObject({
      error: { code: 'engine.nothing_to_undo', message: expect.stringContaining('nothing to undo') },
    });
    for (const command of [
      ['runs', 'resume', run],
      ['runs', 'cancel', run],
      ['runs', 'fork', run, '--step', '1'],
      ['runs', 'signal', run, 'go'],
      ['runs', 'correct', run, 'x'],
      ['runs', 'replay', run, '--as', 'decision'],
      ['graph', 'resume', run],
    ])
      expect({ command, ...(await place.refusal(...command)) }).toMatchObject({
        exitCode: 3,
        error: { code: 'engine.run_simulated' },
      });
  }
  expect((await place.answer<{ approvals: unknown[] }>('approvals', 'list', '--all')).data.approvals).toEqual(
    [],
  );
  expect((await place.oka('memory', 'fact', 'list')).stdout).not.toContain('the sky is blue');
  const { data: measured } = await place.answer<Record<string, unknown>>('metrics');
  expect(JSON.stringify(measured)).not.toContain(id);
});

test('a simulation uses the outcome of an idempotency key that a real run has recorded, and claims no key', async () => {
  const once = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'write' },
      tool('write', 'files.write', { path: 'once.txt', content: 'x' }, 'end', { idempotency_key: 'monday' }),
      { node_id: 'end', type: 'end' },
    ],
    { id: 'once' },
  );
  const place = Workspace.trusted({ files: { '.oka/graphs/once.json': JSON.stringify(once) } });
  const simulate = async () => (await place.answer('graph', 'run', 'once', '--simulate')).data.effects;
  expect(await simulate()).toHaveLength(1);
  expect(await simulate()).toHaveLength(1);
  await place.answer('graph', 'run', 'once');
  rmSync(place.at('once.txt'));
  expect(await simulate()).toEqual([]);
  expect((await place.oka('graph', 'run', 'once', '--simulate')).stdout).toMatch(/^effects +none$/m);
});

test('garbage collection removes old simulations', async () => {
  const place = Workspace.trusted({ files: FILES });
  const { data } = await place.answer('graph', 'run', 'part', '--simulate');
  await place.answer('ledger', 'gc', '--bodies-days', '0');
  expect(await place.refusal('runs', 'show', data.run.id)).toMatchObject({
    error: { code: 'engine.content_erased' },
  });
  const { data: list } = await place.answer<{ runs: RunListItem[] }>('runs', 'list');
  expect(list.runs).toMatchObject([{ id: data.run.id, simulated: true }]);
  await place.answer('ledger', 'gc', '--archive-days', '0');
  expect((await place.answer('runs', 'list')).data).toEqual({ runs: [] });
  await place.verified();
});
