import type { NodeType } from '../node-type.ts';
import { passOn } from '../planner/decisions.ts';
import type { StartNode } from '../types.ts';
import { followed, nodeSchema, targetsIn, templatesIn } from './fields.ts';

const summary = "Where the run begins; its output is the run's input.";

export const start: NodeType<StartNode> = {
  type: 'start',
  summary,
  schema: nodeSchema('start', summary, followed),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node),
  decide: (node, view) => passOn(view, node.next, 'the run begins with its input'),
};
