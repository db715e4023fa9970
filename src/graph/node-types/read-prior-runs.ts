import * as z from 'zod';
import type { NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import type { ReadPriorRunsNode } from '../types.ts';
import { checkStateAccess, followed, nodeSchema, targetsIn, templatesIn } from './fields.ts';

const RUN_STATUSES = ['pending', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled'] as const;

const summary = 'Lists earlier runs of this graph, newest first; its output is {count, runs}.';

export const readPriorRuns: NodeType<ReadPriorRunsNode> = {
  type: 'read_prior_runs',
  summary,
  schema: nodeSchema('read_prior_runs', summary, {
    limit: z.int().min(1).max(1_000).describe('How many runs to list at most.').exactOptional(),
    status: z.enum(RUN_STATUSES).describe('Only runs with this status.').exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node),
  check: checkStateAccess,
  tools: () => [NODE_TOOLS.priorRuns],
  decide(node, view) {
    const input = () => ({
      graph: view.graph.definition.id,
      ...(node.limit === undefined ? {} : { limit: node.limit }),
      ...(node.status === undefined ? {} : { status: node.status }),
    });
    return callOnce(view, node, NODE_TOOLS.priorRuns, input, `${node.node_id} lists earlier runs`);
  },
};
