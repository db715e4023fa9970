import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { type Json, toJson } from '../../kernel/index.ts';
import { anyJson, defineTool, READ_ONLY } from '../define-tool.ts';
import { frameFilter, given } from './get-node.ts';
import type { ContextDesk } from './ports.ts';
import { agentName, nodeName } from './record-frame.ts';

const DEFAULT_MOST = 20;

export const compose: Tool = defineTool({
  name: 'context.compose',
  description:
    'Puts together what is known around a node: its own frames, its folder, its siblings, related nodes.',
  input: z.strictObject({
    node: nodeName,
    sources: z.array(z.enum(['node', 'parent', 'siblings', 'related'])).optional(),
    related: z.array(nodeName).optional().describe('the nodes of the source related'),
    order: z.string().min(1).optional().describe('recency, type, agent, relevance, or a registered one'),
    query: z.string().optional().describe('what is wanted, for the order relevance'),
    max_frames: z.int().min(0).max(1_000).default(DEFAULT_MOST),
    ...frameFilter,
    agent: agentName,
  }),
  output: anyJson,
  annotations: READ_ONLY,
  sideEffect: 'read',
  untrusted: true,
  ledgerOnly: true,
  handler: async ({ node, max_frames, agent, ...rest }, context): Promise<Json> => {
    const desk = requireCapability<ContextDesk>(context, 'context');
    const policy = { ...given(rest), maxFrames: max_frames };
    return toJson(await desk.compose(node, policy, await desk.actingAgent(context.runId, agent)));
  },
});
