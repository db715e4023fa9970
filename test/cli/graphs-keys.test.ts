import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { Gate } from './gate.ts';
import { SMALL_PROJECT, toAnswer, Workspace } from './oka-process.ts';

/** Writes a file once for each day that it is told. */
const DAILY = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: 'out.txt', content: 'for {{input.day}}' },
      idempotency_key: 'write-{{input.day}}',
      next: 'read',
    },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: '{{input.read}}' }, next: 'end' },
    { node_id: 'end', type: 'end', input: '{{write}}' },
  ],
  { id: 'daily', defaults: { max_retries: 5 } },
);

/** Goes around three times, with the same key each time. */
const LOOP = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: 'out.txt', content: 'once' },
      idempotency_key: 'loop-{{run.origin_id}}',
      next: 'again',
    },
    {
      node_id: 'again',
      type: 'typed_condition',
      left: '{{run.visit}}',
      operator: 'gte',
      right: 3,
      if_true: 'end',
      if_false: 'write',
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'loop' },
);

const MONDAY = JSON.stringify({ day: 'monday', read: 'README.md' });

function workspace(config?: unknown): Workspace {
  return Workspace.trusted({
    files: {
      ...SMALL_PROJECT,
      '.oka/graphs/daily.json': JSON.stringify(DAILY),
      '.oka/graphs/loop.json': JSON.stringify(LOOP),
      'monday.json': MONDAY,
      'late.json': JSON.stringify({ day: 'monday', read: 'late.txt' }),
    },
    ...(config === undefined ? {} : { config }),
  });
}

const daily = (place: Workspace, input = 'monday.json') =>
  place.answer('graph', 'run', 'daily', '--input', place.at(input));

/** Takes away what an effect has made, so that a second one would show. */
const forget = (place: Workspace) => rmSync(place.at('out.txt'), { force: true });

function expectOneEffect(place: Workspace): void {
  expect(place.has('out.txt')).toBe(false);
  expect(place.mirror().filter((event) => event.type === 'tool.intended')).toHaveLength(1);
  expect(place.count('effect.recorded')).toBe(1);
}

test('a loop with the same key acts once', async () => {
  const place = workspace();
  const { exitCode, data } = await place.answer('graph', 'run', 'loop');
  expect({ exitCode, output: data.output }).toMatchObject({ exitCode: 0, output: { path: 'out.txt' } });
  expect(place.mirror().filter((event) => event.data['reused'] !== undefined)).toHaveLength(2);
  expect(place.count('tool.intended')).toBe(1);
  await place.answer('graph', 'run', 'loop');
  expect(place.count('tool.intended')).toBe(2);
});

test('a second run with the same key returns the recorded outcome without acting', async () => {
  const place = workspace();
  const first = await daily(place);
  expect(first).toMatchObject({ exitCode: 0, data: { output: { path: 'out.txt' } } });
  forget(place);
  const second = await daily(place);
  expect(second).toMatchObject({ exitCode: 0, data: { output: first.data.output } });
  expect(second.data.run.id).not.toBe(first.data.run.id);
  expectOneEffect(place);
  await place.verified();
});

test('a replay with the same key returns the recorded outcome without acting', async () => {
  const place = workspace();
  const first = await daily(place);
  forget(place);
  const replayed = await place.answer('graph', 'replay', first.data.run.id);
  expect(replayed).toMatchObject({ exitCode: 0, data: { output: first.data.output } });
  expectOneEffect(place);
});

test('a run resumed after a failure does not act again', async () => {
  const place = workspace();
  const first = await daily(place, 'late.json');
  expect(first).toMatchObject({ exitCode: 1, data: { run: { failure: { code: 'files.not_found' } } } });
  forget(place);
  place.put('late.txt', 'here now');
  const resumed = await place.answer('graph', 'resume', first.data.run.id);
  expect(resumed).toMatchObject({ exitCode: 0, data: { output: { path: 'out.txt' } } });
  const again = await daily(place, 'late.json');
  expect(again.data.output).toEqual(resumed.data.output);
  expectOneEffect(place);
});

test('a part rerun by resume does not act again under its original key', async () => {
  const place = workspace();
  const part = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'write' },
      {
        node_id: 'write',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'out.txt', content: 'x' },
        idempotency_key: 'write-{{run.origin_id}}',
        next: 'read',
      },
      { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'late.txt' }, next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    { id: 'part' },
  );
  const whole = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'part' },
      { node_id: 'part', type: 'subgraph', graph: 'part', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    { id: 'whole' },
  );
  for (const graph of [part, whole]) place.put(`.oka/graphs/${graph.id}.json`, JSON.stringify(graph));
  const failed = await place.answer('graph', 'run', 'whole');
  expect(failed.exitCode).toBe(1);
  forget(place);
  place.put('late.txt', 'here now');
  expect((await place.answer('graph', 'resume', failed.data.run.id)).exitCode).toBe(0);
  expectOneEffect(place);
});

test('a simulation does not use up the key', async () => {
  const place = workspace();
  const simulated = await place.answer(
    'graph',
    'run',
    'daily',
    '--input',
    place.at('monday.json'),
    '--simulate',
  );
  expect(simulated).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  expect(place.has('out.txt')).toBe(false);
  await daily(place);
  expect(place.text('out.txt')).toBe('for monday');
});

test('processes with the same key at the same time act once, and all return its outcome', async () => {
  const place = workspace();
  const rivals = [1, 2, 3].map(() =>
    place.oka('graph', 'run', 'daily', '--input', place.at('monday.json'), '--json'),
  );
  const answers = (await Promise.all(rivals)).map((rival) => toAnswer<RunAnswer>(rival));
  const [first] = answers;
  for (const { exitCode, data } of answers)
    expect({ exitCode, output: data.output }).toEqual({ exitCode: 0, output: first?.data.output });
  forget(place);
  expectOneEffect(place);
  await place.verified();
});

test('a process waits for another one that performs the effect, and returns its outcome', async () => {
  const gate = new Gate();
  const [, , , pipe] = gate.hook('after_node').command;
  const stop = 'grep -q files.write || exit 0; test ! -p "$0" || cat "$0"';
  const place = workspace({ hooks: [{ on: 'after_node', command: ['sh', '-c', stop, pipe] }] });
  const run = ['graph', 'run', 'daily', '--input', place.at('monday.json')];
  const acting = place.start(...run, '--json');
  await gate.reached();
  expect(place.text('out.txt')).toBe('for monday');
  forget(place);
  place.put('.oka/config.json', '{}');
  const waiting = place.start(...run);
  await waiting.said('✗ files.write');
  await gate.open();
  expect(toAnswer<RunAnswer>(await acting.ended).exitCode).toBe(0);
  const { exitCode, stdout } = await waiting.ended;
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toMatch(/path +out\.txt/);
  expectOneEffect(place);
  await place.verified();
});
