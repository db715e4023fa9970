import * as z from 'zod';
import type { Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import { frameFilter, READS_FRAMES, readFrames } from './frame-tool.ts';

export const getNode: Tool = defineTool({
  ...READS_FRAMES,
  name: 'context.get_node',
  description: 'Returns the frames of a file or folder of the workspace that a view selects.',
  input: z.strictObject({ ...frameFilter, order: z.enum(['recency', 'type', 'agent']).optional() }),
  handler: (input, context) =>
    readFrames(input, context, (frames, reader, view) => frames.getNode(input.node, view, reader)),
});
