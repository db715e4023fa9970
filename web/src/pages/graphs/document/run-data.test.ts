import { expect, test } from 'vitest';
import type { GraphDocument } from '../../../parts/graph-canvas/graph-document.ts';
import { readRun } from './run-data.ts';

const graph: GraphDocument = {
  id: 'a',
  start: 'start',
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', next: 'many' },
    { node_id: 'many', type: 'typed_condition', if_true: 'ask', if_false: 'end' },
    { node_id: 'ask', type: 'approval', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};
const timeline = [
  { state: 'start', at: 0 },
  { state: 'read', at: 0 },
  { state: 'many', at: 40 },
  { state: 'ask', at: 50 },
];
const action = (step: number, state: string) => ({
  ...{ step, at: 0, state, decision: 'transition', rationale: `${state} acts`, verdicts: [] },
});
const actions = [action(1, 'read'), action(2, 'many'), action(3, 'ask')];
const checkpoints = [
  { node: 'read', status: 'ok' as const, last: { path: 'x' } },
  { node: 'many', status: 'ok' as const, last: 'text' },
  { node: 'ask', status: 'ok' as const, last: 'text' },
  { node: 'ask', status: 'waiting' as const, last: 'text' },
];
const waiting = { run: { status: 'waiting' as const }, timeline, actions };

test('nodes have the state of the run, and a condition the branch that it took', () => {
  const { runs, visited } = readRun(graph, waiting, checkpoints);
  expect(visited).toEqual(['start', 'read', 'many', 'ask']);
  expect(Object.fromEntries(runs)).toEqual({
    start: { state: 'done', note: expect.any(String) },
    read: { state: 'done', note: expect.any(String) },
    many: { state: 'done', note: 'true' },
    ask: { state: 'waiting' },
    end: { state: 'idle' },
  });
});

test('nodes that a run did not reach are skipped once it has ended', () => {
  const failed = {
    ...waiting,
    run: { status: 'failed' as const, endedAt: 60 },
    timeline: [...timeline, { state: '(failed)', at: 60 }],
  };
  const { runs, visited } = readRun(graph, failed, checkpoints);
  expect(visited.at(-1)).toBe('ask');
  expect([runs.get('ask')?.state, runs.get('end')?.state]).toEqual(['failed', 'skipped']);
});

test('a node has its input, its output and its first step', () => {
  const { data } = readRun(graph, waiting, checkpoints);
  expect(data.get('start')).toMatchObject({ input: { path: 'x' }, output: { path: 'x' } });
  expect(data.get('read')).toEqual({
    ...{ input: { path: 'x' }, output: 'text', why: 'read acts', step: 1, visits: 1 },
  });
  expect(data.get('ask')).toEqual({ input: 'text', why: 'ask acts', step: 3, visits: 1 });
  expect(data.get('end')).toEqual({ visits: 0 });
});

test('a run that was started from a node has no input of that node', () => {
  const forked = {
    run: { status: 'completed' as const, endedAt: 9 },
    actions: [action(1, 'many')],
  };
  const { data } = readRun(
    graph,
    {
      ...forked,
      timeline: [
        { state: 'many', at: 1 },
        { state: 'end', at: 2 },
      ],
    },
    [{ node: 'end', status: 'ok', last: 'text' }],
  );
  expect(data.get('many')).toEqual({ output: 'text', why: 'many acts', step: 1, visits: 1 });
});
