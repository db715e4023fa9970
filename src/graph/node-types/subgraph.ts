import type { NodeType } from '../node-type.ts';
import { callOnce, childOn, NODE_TOOLS } from '../planner/decisions.ts';
import type { SubgraphNode } from '../types.ts';
import { followed, nodeId, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Runs another graph; its output is the output of that graph.';

export const subgraph: NodeType<SubgraphNode> = {
  type: 'subgraph',
  summary,
  schema: nodeSchema('subgraph', summary, {
    graph: text('The graph to run, by id or path.'),
    on_error: nodeId('The node to go to when that graph has failed; refused in strict mode.').exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) => templatesIn(node),
  tools: () => [NODE_TOOLS.children],
  decide(node, view) {
    const used = view.graph.use(node.graph);
    const input = () => ({ each: childOn(used), inputs: [view.input], on_error: 'fail', single: true });
    return callOnce(view, node, NODE_TOOLS.children, input, `${node.node_id} runs the graph ${used.id}`);
  },
};
