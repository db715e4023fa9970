import { expect, test } from 'vitest';
import type { RunAnswer } from '../src/api/index.ts';
import { Workspace } from './cli/oka-process.ts';
import { defineGraph } from './support/graph-kit.ts';

/** Writes a file of its own, and one that every part writes. */
const PART = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'a' },
    {
      ...{ node_id: 'a', type: 'tool', tool: 'files.write', next: 'b' },
      args: { path: '{{input}}.txt', content: 'own {{input}}' },
    },
    {
      ...{ node_id: 'b', type: 'tool', tool: 'files.write', next: 'end' },
      args: { path: 'shared.txt', content: 'shared {{input}}' },
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'part' },
);

const part = (id: string, next: string) => ({
  ...{ node_id: id, type: 'subgraph', graph: 'part', input: id, next },
});
const gate = (path: string, next: string) => ({
  ...{ node_id: path, type: 'tool', tool: 'files.read', args: { path }, next },
});

/** Fails at each gate until its file exists. */
const MAIN = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'one' },
    part('one', 'gate1'),
    gate('gate1', 'two'),
    part('two', 'gate2'),
    gate('gate2', 'three'),
    part('three', 'end'),
    { node_id: 'end', type: 'end' },
  ],
  { id: 'main' },
);

test('a goal that was resumed twice is undone with its earlier attempts, and shows their artifacts', async () => {
  const place = Workspace.trusted({
    files: {
      'shared.txt': 'as before',
      '.oka/graphs/main.json': JSON.stringify(MAIN),
      '.oka/graphs/part.json': JSON.stringify(PART),
    },
  });
  const first = await place.answer('graph', 'run', 'main');
  expect(first.data.run).toMatchObject({
    status: 'failed',
    artifacts: [{ name: 'one.txt' }, { name: 'shared.txt' }],
  });
  expect(first.data.run.attempts).toBeUndefined();
  place.put('gate1', 'open');
  const second = await place.answer('runs', 'resume', first.data.run.id);
  expect(second.data.run.status).toBe('failed');
  place.put('gate2', 'open');
  const third = await place.answer('runs', 'resume', second.data.run.id);
  const earlier = [second.data.run.id, first.data.run.id];
  expect(third.data.run).toMatchObject({ status: 'completed', attempts: earlier });
  const names = ({ run }: RunAnswer) => run.artifacts.map(({ name }) => name).sort();
  const all = ['one.txt', 'shared.txt', 'shared.txt', 'shared.txt', 'three.txt', 'two.txt'];
  expect(names(third.data)).toEqual(all);
  const shown = await place.oka('runs', 'show', third.data.run.id);
  expect(shown.stdout).toContain('and 1 earlier attempts; their artifacts are included');

  expect(place.text('shared.txt')).toBe('shared three');
  const undone = await place.oka('runs', 'undo', third.data.run.id);
  expect(undone).toMatchObject({ exitCode: 0 });
  expect(undone.stdout).toContain(
    `includes the earlier attempts: ${earlier.map((id) => id.slice(-6)).join(', ')}`,
  );
  // The newest change first, so that the content before the first attempt is restored last.
  expect(undone.stdout.split('\n').filter((line) => line.includes('shared.txt'))).toHaveLength(3);
  expect(place.text('shared.txt')).toBe('as before');
  for (const path of ['one.txt', 'two.txt', 'three.txt']) expect(place.has(path)).toBe(false);
  expect(await place.refusal('runs', 'undo', third.data.run.id)).toMatchObject({
    error: { code: 'engine.nothing_to_undo' },
  });
  await place.verified();
});

test('an attempt that was already undone is left out', async () => {
  const place = Workspace.trusted({
    files: {
      '.oka/graphs/main.json': JSON.stringify(MAIN),
      '.oka/graphs/part.json': JSON.stringify(PART),
    },
  });
  const first = await place.answer('graph', 'run', 'main');
  await place.answer('runs', 'undo', first.data.run.id);
  place.put('one.txt', 'written by a person');
  place.put('gate1', 'open');
  const second = await place.answer('runs', 'resume', first.data.run.id);
  expect(second.data.run).toMatchObject({
    status: 'failed',
    failure: { message: expect.stringContaining('gate2') },
  });
  expect(await place.answer('runs', 'undo', second.data.run.id)).toMatchObject({ exitCode: 0 });
  expect(place.text('one.txt')).toBe('written by a person');
  expect(place.has('two.txt')).toBe(false);
});
