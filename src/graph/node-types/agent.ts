import type { NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import type { AgentNode } from '../types.ts';
import { budgets, called, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Gives an agent a goal and waits for it; its output is the result of the agent.';

export const agent: NodeType<AgentNode> = {
  type: 'agent',
  summary,
  schema: nodeSchema('agent', summary, {
    goal: text('The goal of the agent.'),
    agent: text('The agent to ask; the default one when left out.').exactOptional(),
    budgets: budgets('The limits of the agent.').exactOptional(),
    ...called,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) => templatesIn(node, 'goal', 'fallback_output'),
  tools: () => [NODE_TOOLS.children],
  decide(node, view) {
    const budgets = node.budgets ?? view.graph.definition.execution_defaults.budgets;
    const input = () => ({
      children: [
        {
          kind: 'agent',
          goal: view.renderText(node.goal),
          vars: { input: view.input, ...(node.agent === undefined ? {} : { agent: node.agent }) },
          ...(budgets === undefined ? {} : { budgets }),
        },
      ],
      on_error: 'fail',
      single: true,
    });
    return callOnce(view, node, NODE_TOOLS.children, input, `${node.node_id} gives a goal to an agent`);
  },
};
