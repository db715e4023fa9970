import * as z from 'zod';
import { type Json, OkaError } from '../../kernel/index.ts';
import type { NodeType } from '../node-type.ts';
import { callOnce, childOn, continueWith, NODE_TOOLS } from '../planner/decisions.ts';
import type { NodeView } from '../planner/node-view.ts';
import type { MapNode } from '../types.ts';
import { anyJson, followed, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const MAX_ITEMS = 10_000;

const summary =
  'Runs a graph once for each item, several at a time; its output is the list of their outputs.';

export const map: NodeType<MapNode> = {
  type: 'map',
  summary,
  schema: nodeSchema('map', summary, {
    items: anyJson('The items: a list, or a template that gives one.'),
    graph: text('The graph to run, by id or path.'),
    concurrency: z.int().min(1).max(1_000).describe('How many run at the same time at most.').exactOptional(),
    on_error: z
      .enum(['fail', 'skip', 'collect'])
      .describe('Whether a failed item fails the node, is left out, or becomes an error in the list.')
      .exactOptional(),
    max_items: z
      .int()
      .min(1)
      .max(MAX_ITEMS)
      .describe('How many items there may be at most; a map without it is unbounded.')
      .exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node, 'items'),
  check({ items, max_items }) {
    const field = ['items'];
    if (!Array.isArray(items)) {
      if (typeof items === 'string' && items.includes('{{')) return [];
      const message = 'items is neither a list nor a template that gives one.';
      const suggestion = 'Write a list, or a template such as {{last.items}}.';
      return [{ code: 'graph.wrong_type', field, message, suggestion }];
    }
    if (max_items === undefined || items.length <= max_items) return [];
    const message = `there are ${items.length} items and max_items is ${max_items}.`;
    const suggestion = 'Raise max_items or give fewer items.';
    return [{ code: 'graph.invalid_value', field, message, suggestion }];
  },
  tools: () => [NODE_TOOLS.children],
  decide(node, view) {
    const used = view.graph.use(node.graph);
    const items = itemsOf(node, view);
    if (items.length === 0) return continueWith(view, node.next, [], `${node.node_id} has no items`);
    const input = () => ({
      each: childOn(used),
      inputs: items,
      concurrency: node.concurrency ?? DEFAULT_CONCURRENCY,
      on_error: node.on_error ?? 'fail',
    });
    const { on_error: _, ...call } = node;
    const why = `${node.node_id} runs the graph ${used.id} for each of ${items.length} items`;
    return callOnce(view, call, NODE_TOOLS.children, input, why);
  },
};

const DEFAULT_CONCURRENCY = 4;

function itemsOf(node: MapNode, view: NodeView): readonly Json[] {
  const items = view.render(node.items);
  if (!Array.isArray(items)) {
    throw new OkaError(
      'graph.not_a_list',
      `the items of the node "${node.node_id}" are not a list; give it one.`,
    );
  }
  const max = node.max_items ?? MAX_ITEMS;
  if (items.length <= max) return items as Json[];
  throw new OkaError(
    'graph.too_many_items',
    `the node "${node.node_id}" was given ${items.length} items and takes ${max}; raise max_items or give it fewer.`,
    { data: { node: node.node_id, items: items.length, most: max } },
  );
}
