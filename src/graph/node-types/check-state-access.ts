import type { Finding, NodeContext } from '../node-type.ts';
import type { GraphNode } from '../types.ts';

/** State nodes are refused only when the graph itself says that it keeps no state. */
export function checkStateAccess(node: GraphNode, { settings }: NodeContext): readonly Finding[] {
  if (settings.state_access?.default_enabled !== false) return [];
  return [
    {
      code: 'graph.state_disabled',
      field: ['type'],
      message: `the node "${node.node_id}" uses state, and state_access.default_enabled is false.`,
      suggestion: 'Set state_access.default_enabled to true, or remove the node.',
    },
  ];
}
