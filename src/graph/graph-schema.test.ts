import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Json, JsonObject } from '../kernel/index.ts';
import { graphJsonSchema } from './graph-schema.ts';
import { NODE_TYPE_NAMES, NODE_TYPES } from './node-types.ts';

const schema = graphJsonSchema();
/** Reads the published schema back, so that the published text itself is what is tested. */
const check = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));

const sample = (nodes: Json[], change: JsonObject = {}): Json => ({
  $schema: 'https://example.com/graph.json',
  id: 'sample',
  name: 'Sample',
  version: '1.0.0',
  start: 'start',
  nodes: [{ node_id: 'start', type: 'start', next: 'x' }, ...nodes],
  ...change,
});

const EXAMPLES: { readonly [type: string]: JsonObject } = {
  start: { next: 'x' },
  end: {},
  tool: { tool: 'files.read', args: { path: '{{input}}' }, next: 'x' },
  ai_template: { prompt_template: 'Hi', output_format: 'text', next: 'x' },
  typed_condition: { left: null, operator: 'empty', if_true: 'x', if_false: 'y' },
  llm_condition: { prompt: 'Hi', branch_options: ['a', 'b'], branch_targets: { a: 'x', b: 'y' } },
  transform: { expression: '$', next: 'x' },
  read_state: { key: 'k', next: 'x' },
  write_state: { key: 'k', value: [1], next: 'x' },
  read_prior_runs: { limit: 3, next: 'x' },
  approval: { question: 'Go?', options: ['yes'], next: 'x' },
  wait: { seconds: '{{input.n}}', next: 'x' },
  map: { items: '{{last}}', graph: 'g', on_error: 'skip', next: 'x' },
  subgraph: { graph: 'g', on_error: 'y', next: 'x' },
  agent: { goal: 'Tidy', budgets: { steps: 5 }, next: 'x' },
};

describe('graphJsonSchema', () => {
  it('is a draft 2020-12 schema whose nodes differ by type', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    const items = ((schema['properties'] as JsonObject)['nodes'] as JsonObject)['items'] as JsonObject;
    const types = (items['oneOf'] as JsonObject[]).map(
      (one) => ((one['properties'] as JsonObject)['type'] as JsonObject)['const'],
    );
    expect(types).toEqual([...NODE_TYPE_NAMES]);
  });

  it('describes every field of every node', () => {
    for (const name of NODE_TYPE_NAMES) {
      const { properties } = z.toJSONSchema(NODE_TYPES[name].schema) as {
        properties: Record<string, JsonObject>;
      };
      for (const [field, one] of Object.entries(properties))
        expect(one['description'], `${name}.${field}`).toMatch(/\.$/);
    }
  });

  it.each(NODE_TYPE_NAMES)('accepts a node of type %s, and refuses it with an unknown field', (type) => {
    const node = { node_id: 'one', type, ...(EXAMPLES[type] as JsonObject) };
    expect(check.safeParse(sample([node])).success).toBe(true);
    expect(check.safeParse(sample([{ ...node, surprise: 1 }])).success).toBe(false);
    expect(check.safeParse(sample([{ ...node, node_id: 'not a name' }])).success).toBe(false);
    for (const field of Object.keys(node).filter((key) =>
      ['next', 'tool', 'left', 'items', 'goal', 'type'].includes(key),
    )) {
      const { [field]: _, ...rest } = node as JsonObject;
      expect(check.safeParse(sample([rest])).success, `without ${field}`).toBe(false);
    }
  });

  it.each<[string, JsonObject]>([
    ['an unknown mode', { execution_defaults: { guarantee_mode: 'loose' } }],
    ['an unknown budget', { execution_defaults: { budgets: { money: 5 } } }],
    ['an unknown field', { nodez: [] }],
    ['no steps', { max_steps: 0 }],
    ['an id that is a path', { id: '../x' }],
  ])('refuses %s', (_, change) => {
    expect(check.safeParse(sample([], change)).success).toBe(false);
  });
});
