import * as z from 'zod';
import type { Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import { frameFilter, nodeName, READS_FRAMES, readFrames } from './frame-tool.ts';

export const compose: Tool = defineTool({
  ...READS_FRAMES,
  name: 'context.compose',
  description: 'Collects the frames around a node: of the node, its folder, its siblings and related nodes.',
  input: z.strictObject({
    ...frameFilter,
    max_frames: z.int().min(0).max(1_000).default(20),
    sources: z.array(z.enum(['node', 'parent', 'siblings', 'related'])).optional(),
    related: z.array(nodeName).optional().describe('the nodes of the source "related"'),
    order: z.string().min(1).optional().describe('recency, type, agent, relevance, or a registered order'),
    query: z.string().optional().describe('the query of the order "relevance"'),
  }),
  handler: (input, context) =>
    readFrames(input, context, (frames, reader, policy) => frames.compose(input.node, policy, reader)),
});
