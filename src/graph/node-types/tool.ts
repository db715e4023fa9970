import type { NodeType } from '../node-type.ts';
import { callOnce } from '../planner/decisions.ts';
import type { ToolNode } from '../types.ts';
import { checkArguments } from './check-arguments.ts';
import {
  anyJson,
  attempted,
  fallbackOutput,
  followed,
  idempotencyKey,
  nodeSchema,
  targetsIn,
  templatesIn,
  text,
} from './fields.ts';

const summary = 'Calls one tool; its output is what the tool answers.';

export const tool: NodeType<ToolNode> = {
  type: 'tool',
  summary,
  schema: nodeSchema('tool', summary, {
    tool: text('The name of the tool.'),
    args: anyJson("The tool's arguments; the node's input when left out.").exactOptional(),
    ...idempotencyKey,
    ...attempted,
    ...fallbackOutput,
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) => templatesIn(node, 'args', 'idempotency_key', 'fallback_output'),
  check: (node, { tools }) => checkArguments(node, tools),
  tools: (node) => [node.tool],
  decide(node, view) {
    const { args } = node;
    const input = () => (args === undefined ? view.input : view.render(args));
    return callOnce(view, node, node.tool, input, node.description ?? `${node.node_id} calls ${node.tool}`);
  },
};
