import { describe, expect, it } from 'vitest';
import { diffDefinitions, graphDiff } from './diff-definitions.ts';
import type { GraphDefinition } from './types.ts';

const before: GraphDefinition = {
  id: 'g',
  name: 'G',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded' },
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    {
      node_id: 'read',
      type: 'tool',
      tool: 'files.read',
      args: { path: 'a.txt', 'x.y': 1 },
      max_retries: 1,
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
};

const after: GraphDefinition = {
  ...before,
  version: 2,
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 9 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'b.txt', 'x.y': 2 }, next: 'stop' },
    { node_id: 'stop', type: 'end' },
  ],
};

describe('graphDiff', () => {
  it('lists the nodes that were added, removed and changed, and the fields', () => {
    expect(graphDiff(before, after)).toEqual({
      added: ['stop'],
      removed: ['end'],
      changed: [{ node: 'read', fields: ['args.path', 'args.x.y', 'max_retries', 'next'] }],
      settings: ['version', 'execution_defaults.timeout_seconds'],
      reordered: false,
    });
  });

  it('finds nothing between equal definitions, however their keys are ordered', () => {
    const same = Object.fromEntries(Object.entries(before).toReversed()) as unknown as GraphDefinition;
    expect(diffDefinitions(before, same)).toEqual([]);
  });
});

describe('diffDefinitions', () => {
  it('writes the difference as lines', () => {
    expect(diffDefinitions(before, after)).toEqual([
      '~ version: 1 → 2',
      '+ execution_defaults.timeout_seconds: 9',
      '- node end (end)',
      '+ node stop (end)',
      '~ read.args.path: "a.txt" → "b.txt"',
      '~ read.args.x.y: 1 → 2',
      '- read.max_retries: 1',
      '~ read.next: "end" → "stop"',
    ]);
  });

  it('reports a change of the order alone', () => {
    expect(diffDefinitions(before, { ...before, nodes: before.nodes.toReversed() })).toEqual([
      '~ the order of the nodes',
    ]);
  });

  it('cuts long values', () => {
    const long = { ...before, description: 'x'.repeat(500) };
    expect(diffDefinitions(before, long)[0]?.length).toBeLessThan(130);
  });
});
