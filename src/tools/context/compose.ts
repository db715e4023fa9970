import * as z from 'zod';
import type { Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import { framesWanted, READS_FRAMES, readFrames } from './read-frames.ts';
import { nodeName } from './record-frame.ts';

const DEFAULT_MOST = 20;

export const compose: Tool = defineTool({
  ...READS_FRAMES,
  name: 'context.compose',
  description:
    'Puts together what is known around a node: its own frames, its folder, its siblings, related nodes.',
  input: z.strictObject({
    ...framesWanted,
    max_frames: z.int().min(0).max(1_000).default(DEFAULT_MOST),
    sources: z.array(z.enum(['node', 'parent', 'siblings', 'related'])).optional(),
    related: z.array(nodeName).optional().describe('the nodes of the source related'),
    order: z.string().min(1).optional().describe('recency, type, agent, relevance, or a registered one'),
    query: z.string().optional().describe('what is wanted, for the order relevance'),
  }),
  handler: (input, context) =>
    readFrames(input, context, (desk, reader, policy) => desk.compose(input.node, policy, reader)),
});
