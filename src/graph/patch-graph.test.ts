import { describe, expect, it } from 'vitest';
import { patchGraph } from './patch-graph.ts';
import type { GraphDefinition } from './types.ts';

const definition: GraphDefinition = {
  id: 'g',
  name: 'G',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded' },
  nodes: [
    { node_id: 'start', type: 'start', next: 'pick' },
    {
      node_id: 'pick',
      type: 'llm_condition',
      prompt: 'Which?',
      branch_options: ['a', 'b'],
      branch_targets: { a: 'end', b: 'end' },
    },
    { node_id: 'end', type: 'end' },
  ],
};

const refused = (message: RegExp): object =>
  expect.objectContaining({ code: 'graph.patch_refused', message: expect.stringMatching(message) });

describe('patchGraph', () => {
  it.each([
    ['prompt', 'Which one?', { prompt: 'Which one?' }],
    ['timeout_seconds', 5, { timeout_seconds: 5 }],
    ['branch_targets.a', 'start', { branch_targets: { a: 'start', b: 'end' } }],
    ['branch_options[1]', 'c', { branch_options: ['a', 'c'] }],
    ['branch_options.2', 'c', { branch_options: ['a', 'b', 'c'] }],
    ['input.deep.er', null, { input: { deep: { er: null } } }],
  ])('sets %s', (field, value, expected) => {
    const before = structuredClone(definition);
    const after = patchGraph(definition, 'pick', field, value);
    expect(after.nodes[1]).toEqual({ ...definition.nodes[1], ...expected });
    expect(after.nodes[0]).toBe(definition.nodes[0]);
    expect(definition).toEqual(before);
  });

  it('suggests the node that was meant', () => {
    expect(() => patchGraph(definition, 'pikc', 'prompt', '')).toThrowError(refused(/Did you mean "pick"/));
    expect(() => patchGraph(definition, 'zzzzzz', 'prompt', '')).toThrowError(refused(/oka graph show/));
  });

  it.each(['__proto__', 'args.__proto__.x', 'constructor.prototype', 'input.constructor', 'prototype'])(
    'refuses the field %s',
    (field) => {
      expect(() => patchGraph(definition, 'pick', field, { polluted: true })).toThrowError(
        refused(/may not be used/),
      );
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  it('refuses such keys inside the value', () => {
    const value = JSON.parse('[{"deep": {"__proto__": {"polluted": true}}}]');
    expect(() => patchGraph(definition, 'pick', 'input', value)).toThrowError(refused(/__proto__/));
  });

  it.each([
    ['node_id', /cannot be patched/],
    ['type', /cannot be patched/],
    ['', /is not a field/],
    ['a..b', /is not a field/],
    ['prompt.x', /has no fields/],
    ['branch_options[7]', /use 0 to 2/],
    ['branch_options.first', /not an index of a list/],
  ])('refuses the field "%s"', (field, message) => {
    expect(() => patchGraph(definition, 'pick', field, 1)).toThrowError(refused(message));
  });

  it('ignores inherited names', () => {
    expect(patchGraph(definition, 'end', 'toString.x', 1).nodes[2]).toEqual({
      node_id: 'end',
      type: 'end',
      toString: { x: 1 },
    });
  });
});
