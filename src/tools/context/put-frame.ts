import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import type { ContextDesk } from './ports.ts';
import { APPENDS, agentName, blobsOf, nodeName, recordFrame, writtenFrame } from './record-frame.ts';

export const putFrame: Tool = defineTool({
  name: 'context.put_frame',
  description: 'Appends a frame: something understood about a file or folder, kept for later readers.',
  input: z.strictObject({
    node: nodeName,
    type: z.string().min(1).max(64).default('note').describe('what kind of frame, such as note or summary'),
    content: z.string().describe('what is said about the node'),
    agent: agentName,
  }),
  output: writtenFrame,
  annotations: APPENDS,
  sideEffect: 'write_local',
  recordsOnly: true,
  simulatable: true,
  ledgerOnly: true,
  handler: async ({ agent: asked, ...frame }, context) => {
    const desk = requireCapability<ContextDesk>(context, 'context');
    const agent = await desk.actingAgent(context.runId, asked);
    return recordFrame(context, await desk.draftPut({ ...frame, agent }, blobsOf(context)));
  },
});
