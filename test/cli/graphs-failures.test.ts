import { expect, test } from 'vitest';
import type { CheckpointView } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const LATE = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'shape' },
    { node_id: 'shape', type: 'transform', expression: '{"path": "late.txt"}', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', next: 'end' },
    { node_id: 'end', type: 'end', input: { got: '{{read.content}}', asked: '{{shape.path}}' } },
  ],
  { id: 'late' },
);

function workspace(graphs: Readonly<Record<string, object>> = { late: LATE }): Workspace {
  const files = Object.entries(graphs).map(([id, graph]) => [
    `.oka/graphs/${id}.json`,
    JSON.stringify(graph),
  ]);
  return Workspace.trusted({ files: { ...SMALL_PROJECT, ...Object.fromEntries(files) } });
}

async function failed(place: Workspace, graph: string): Promise<string> {
  const { exitCode, data } = await place.answer('graph', 'run', graph);
  expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 1, status: 'failed' });
  return data.run.id;
}

test('a failing graph exits with 1, names the node and the failure, and leaves an error checkpoint', async () => {
  const place = workspace();
  const { exitCode, data } = await place.answer('graph', 'run', 'late');
  expect(exitCode).toBe(1);
  expect(data.run.failure).toMatchObject({ code: 'files.not_found' });
  expect(data.run.failure?.message).toMatch(/^the node "read" failed: .*late\.txt/);
  const { stdout, stderr, exitCode: readable } = await place.oka('graph', 'run', 'late');
  expect({ stdout, readable }).toEqual({ stdout: '', readable: 1 });
  expect(stderr.match(/the node "read" failed: .*late\.txt/g)).toHaveLength(1);

  const { data: found } = await place.answer<{ checkpoints: CheckpointView[] }>(
    'graph',
    'state',
    'checkpoints',
    data.run.id,
  );
  expect(found.checkpoints.at(-1)).toMatchObject({
    node: 'read',
    status: 'failed',
    last: { path: 'late.txt' },
    failure: { code: 'files.not_found' },
  });
  expect((await place.oka('graph', 'state', 'checkpoints', data.run.id)).stdout).toMatch(
    /^\d+ +read +ok .*\{"path":"late\.txt"\}$/m,
  );
});

test('resume starts a new run at the failed node with the recorded steps before it', async () => {
  const place = workspace();
  const run = await failed(place, 'late');
  const again = await place.answer('graph', 'resume', run);
  expect(again).toMatchObject({ exitCode: 1, data: { run: { status: 'failed', resumedFrom: run } } });

  place.put('late.txt', 'here now');
  const { exitCode, data } = await place.answer('graph', 'resume', run);
  expect(exitCode).toBe(0);
  expect(data.run).toMatchObject({ status: 'completed', resumedFrom: again.data.run.id });
  expect(data.output).toEqual({ got: 'here now', asked: 'late.txt' });
  const { data: found } = await place.answer<{ checkpoints: CheckpointView[] }>(
    'graph',
    'state',
    'checkpoints',
    data.run.id,
  );
  expect(new Set(found.checkpoints.map(({ node }) => node))).toEqual(new Set(['end']));
  expect((await place.answer('runs', 'show', run)).data.run.status).toBe('failed');
  expect((await place.answer('graph', 'resume', run)).data.run.id).toBe(data.run.id);
  await place.verified();
});

test('resuming a graph reruns its failed part', async () => {
  const outer = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'keep' },
      { node_id: 'keep', type: 'write_state', key: 'begun', value: true, next: 'part' },
      { node_id: 'part', type: 'subgraph', graph: 'late', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    { id: 'outer' },
  );
  const place = workspace({ late: LATE, outer });
  const run = await failed(place, 'outer');
  place.put('late.txt', 'here now');
  const { exitCode, data } = await place.answer('graph', 'resume', run);
  expect({ exitCode, output: data.output }).toEqual({
    exitCode: 0,
    output: { got: 'here now', asked: 'late.txt' },
  });
  const { data: kept } = await place.answer<{ history: unknown[] }>(
    'graph',
    'state',
    'history',
    'outer',
    'begun',
  );
  expect(kept.history).toHaveLength(1);
  await place.verified();
});

test('a run resumes at a failed condition', async () => {
  const odd = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'read' },
      { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'README.md' }, next: 'more' },
      {
        node_id: 'more',
        type: 'typed_condition',
        left: '{{last.content}}',
        operator: 'gt',
        right: 3,
        if_true: 'end',
        if_false: 'end',
      },
      { node_id: 'end', type: 'end' },
    ],
    { id: 'odd' },
  );
  const place = workspace({ odd });
  const { exitCode, data } = await place.answer('graph', 'run', 'odd');
  expect({ exitCode, code: data.run.failure?.code }).toEqual({ exitCode: 1, code: 'graph.condition_type' });
  const again = await place.answer('graph', 'resume', data.run.id);
  expect(again.data.run).toMatchObject({ status: 'failed', failure: { code: 'graph.condition_type' } });
  expect(place.mirror().filter((event) => event.data['tool'] === 'files.read')).toHaveLength(1);
});

test('resuming a completed run returns it unchanged', async () => {
  const place = workspace();
  place.put('late.txt', 'early');
  const { data } = await place.answer('graph', 'run', 'late');
  expect(await place.answer('graph', 'resume', data.run.id)).toEqual({ exitCode: 0, data });
});

test('resume --repin continues a failed run with the current graph', async () => {
  const place = workspace();
  const run = await failed(place, 'late');
  await place.answer('graph', 'patch', 'late', 'read', 'args', '{"path":"README.md"}');
  const { exitCode, data } = await place.answer('graph', 'resume', run, '--repin');
  expect({ exitCode, output: data.output }).toEqual({
    exitCode: 0,
    output: { got: SMALL_PROJECT['README.md'], asked: 'late.txt' },
  });
});
