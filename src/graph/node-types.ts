import type { NodeType } from './node-type.ts';
import { agent } from './node-types/agent.ts';
import { aiTemplate } from './node-types/ai-template.ts';
import { approval } from './node-types/approval.ts';
import { end } from './node-types/end.ts';
import { llmCondition } from './node-types/llm-condition.ts';
import { map } from './node-types/map.ts';
import { readPriorRuns } from './node-types/read-prior-runs.ts';
import { readState } from './node-types/read-state.ts';
import { start } from './node-types/start.ts';
import { subgraph } from './node-types/subgraph.ts';
import { tool } from './node-types/tool.ts';
import { transform } from './node-types/transform.ts';
import { typedCondition } from './node-types/typed-condition.ts';
import { wait } from './node-types/wait.ts';
import { writeState } from './node-types/write-state.ts';
import type { GraphNode, NodeTypeName } from './types.ts';

/** Every type of node. To add one: a file in node-types and a line here. */
export const NODE_TYPES: { readonly [Type in NodeTypeName]: NodeType<Extract<GraphNode, { type: Type }>> } = {
  start,
  end,
  tool,
  ai_template: aiTemplate,
  typed_condition: typedCondition,
  llm_condition: llmCondition,
  transform,
  read_state: readState,
  write_state: writeState,
  read_prior_runs: readPriorRuns,
  approval,
  wait,
  map,
  subgraph,
  agent,
};

export const NODE_TYPE_NAMES = Object.keys(NODE_TYPES) as readonly NodeTypeName[];

export function nodeTypeOf<Node extends GraphNode>(node: Pick<Node, 'type'>): NodeType<Node> {
  return NODE_TYPES[node.type] as unknown as NodeType<Node>;
}
