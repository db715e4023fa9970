import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import {
  APPENDS,
  agentName,
  blobsOf,
  type FrameService,
  nodeName,
  recordFrame,
  writtenFrame,
} from './frame-tool.ts';

export const putFrame: Tool = defineTool({
  name: 'context.put_frame',
  description: 'Appends a frame: a note about a file or folder for later readers.',
  input: z.strictObject({
    node: nodeName,
    type: z
      .string()
      .min(1)
      .max(64)
      .default('note')
      .describe('the type of the frame, such as note or summary'),
    content: z.string().describe('the text of the frame'),
    agent: agentName,
  }),
  output: writtenFrame,
  ...APPENDS,
  simulatable: true,
  ledgerOnly: true,
  effect: ({ node, type }) => ({ kind: 'context', what: `add a frame (${type}) to ${node}` }),
  handler: async ({ agent: actor, ...frame }, context) => {
    const frames = requireCapability<FrameService>(context, 'context');
    const agent = await frames.actingAgent(context.runId, actor);
    return recordFrame(context, await frames.draftPut({ ...frame, agent }, blobsOf(context)));
  },
});
