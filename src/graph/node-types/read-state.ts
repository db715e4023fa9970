import type { NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import type { ReadStateNode } from '../types.ts';
import { anyJson, checkStateAccess, followed, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Reads a value that an earlier run of this graph has stored; its output is {key, value}.';

export const readState: NodeType<ReadStateNode> = {
  type: 'read_state',
  summary,
  schema: nodeSchema('read_state', summary, {
    key: text('The name of the value.'),
    default: anyJson('The value when there is none yet; null when left out.').exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node, 'key', 'default'),
  check: checkStateAccess,
  tools: () => [NODE_TOOLS.readState],
  decide(node, view) {
    const input = () => ({
      graph: view.graph.definition.id,
      key: view.renderText(node.key),
      ...(node.default === undefined ? {} : { default: view.render(node.default) }),
    });
    return callOnce(view, node, NODE_TOOLS.readState, input, `${node.node_id} reads state`);
  },
};
