import type { NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import type { WriteStateNode } from '../types.ts';
import { anyJson, checkStateAccess, followed, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Stores a value for later runs of this graph; its output is {key, value, written}.';

export const writeState: NodeType<WriteStateNode> = {
  type: 'write_state',
  summary,
  schema: nodeSchema('write_state', summary, {
    key: text('The name of the value.'),
    value: anyJson("The value; the node's input when left out.").exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node, 'key', 'value'),
  check: checkStateAccess,
  tools: () => [NODE_TOOLS.writeState],
  decide(node, view) {
    const input = () => ({
      graph: view.graph.definition.id,
      key: view.renderText(node.key),
      value: node.value === undefined ? view.input : view.render(node.value),
    });
    return callOnce(view, node, NODE_TOOLS.writeState, input, `${node.node_id} writes state`);
  },
};
