import type { NodeType } from '../node-type.ts';
import { passInput } from '../planner/decisions.ts';
import type { StartNode } from '../types.ts';
import { followed, nodeSchema, targetsIn, templatesIn } from './fields.ts';

const summary = "Starts the run; its output is the run's input.";

export const start: NodeType<StartNode> = {
  type: 'start',
  summary,
  schema: nodeSchema('start', summary, followed),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node),
  decide: (node, view) => passInput(view, node.next, 'the run starts with its input'),
};
