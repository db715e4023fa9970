import { expect, test } from 'vitest';
import { edgePath } from './edge-path.ts';
import { edgesOf, litEdges, portsOf, readGraphDocument, targetOf } from './graph-document.ts';
import { edgeId, layoutGraph, NODE_HEIGHT, NODE_WIDTH } from './layout.ts';

const choice = {
  node_id: 'choice',
  type: 'llm_condition',
  branch_options: ['yes', 'no'],
  branch_targets: { yes: 'end', later: 'gone' },
  on_error: 'end',
};
const graph = {
  id: 'a',
  start: 'start',
  nodes: [
    { node_id: 'start', type: 'start', next: 'many' },
    { node_id: 'many', type: 'typed_condition', if_true: 'list', if_false: 'end' },
    { node_id: 'list', type: 'map', on_error: 'skip', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};

test('a value is drawn only if every node has its own id and a type', () => {
  expect(readGraphDocument(graph)).toEqual(graph);
  for (const value of [null, [], {}, { nodes: {} }, { nodes: [{ type: 'end' }] }])
    expect(readGraphDocument(value)).toBeUndefined();
  expect(readGraphDocument({ ...graph, nodes: [...graph.nodes, graph.nodes[0]] })).toBeUndefined();
});

test('the branches of a choice are its options, also those without a target', () => {
  expect(portsOf(choice).map(({ field }) => field)).toEqual([
    'branch_targets.yes',
    'branch_targets.no',
    'branch_targets.later',
    'on_error',
  ]);
  expect(targetOf(choice, 'branch_targets.no')).toBeUndefined();
  expect(targetOf(choice, 'branch_targets.toString')).toBeUndefined();
});

test('edges lead to nodes that exist, and the on_error of a map is not an edge', () => {
  expect(edgesOf(graph).map(({ from, to }) => [from, to])).toEqual([
    ['start', 'many'],
    ['many', 'list'],
    ['many', 'end'],
    ['list', 'end'],
  ]);
  expect(edgesOf({ nodes: [choice] })).toEqual([]);
});

test('the path of a run is lit', () => {
  expect([...litEdges(['start', 'many', 'end'])]).toEqual(['start→many', 'many→end']);
  expect(litEdges([]).size).toBe(0);
});

test('nodes do not overlap, and an edge passes the node between its ends', () => {
  const { places, routes } = layoutGraph(graph);
  const boxes = [...places.values()];
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1))
      expect(Math.abs(one.x - other.x) >= NODE_WIDTH || Math.abs(one.y - other.y) >= NODE_HEIGHT).toBe(true);
  const list = places.get('list') ?? { x: 0, y: 0 };
  const route = routes.get(edgeId({ from: 'many', port: { field: 'if_false' } })) ?? [];
  expect(route.length).toBeGreaterThan(0);
  const isInside = ({ x, y }: { x: number; y: number }): boolean =>
    x > list.x && x < list.x + NODE_WIDTH && y > list.y && y < list.y + NODE_HEIGHT;
  expect(route.some(isInside)).toBe(false);
  expect(edgePath([{ x: 0, y: 0 }, ...route])).toMatch(/^M 0 0 C /);
});

test('a large graph is placed in rows', () => {
  const nodes = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ node_id: `n${index}`, type: 'transform', next: `n${index + 1}` },
  }));
  const { places } = layoutGraph({ id: 'large', start: 'n0', nodes });
  expect(new Set([...places.values()].map(({ y }) => y)).size).toBe(2_000);
});
