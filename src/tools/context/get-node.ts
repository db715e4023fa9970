import * as z from 'zod';
import type { Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import { framesWanted, READS_FRAMES, readFrames } from './read-frames.ts';

export const getNode: Tool = defineTool({
  ...READS_FRAMES,
  name: 'context.get_node',
  description:
    'Gives what was said about a file or folder of the workspace: its frames, as a view selects them.',
  input: z.strictObject({ ...framesWanted, order: z.enum(['recency', 'type', 'agent']).optional() }),
  handler: (input, context) =>
    readFrames(input, context, (desk, reader, view) => desk.getNode(input.node, view, reader)),
});
