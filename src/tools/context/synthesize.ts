import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { anyJson, defineTool } from '../define-tool.ts';
import type { ContextDesk } from './ports.ts';
import { given } from './read-frames.ts';
import { APPENDS, agentName, blobsOf, nodeName, recordFrame, writtenFrame } from './record-frame.ts';

export const synthesize: Tool = defineTool({
  name: 'context.synthesize',
  description: 'Makes one frame of a folder from the frames of its children, by a deterministic policy.',
  input: z.strictObject({
    node: nodeName,
    type: z.string().min(1).max(64).default('note').describe('the type of frames; * takes all'),
    policy: z
      .string()
      .min(1)
      .optional()
      .describe('concatenation, summarization, filtering, or a registered one'),
    parameters: z.record(z.string(), anyJson).optional(),
    agent: agentName,
  }),
  output: writtenFrame.extend({ skipped: z.array(z.string()) }),
  annotations: APPENDS,
  sideEffect: 'write_local',
  recordsOnly: true,
  simulatable: true,
  ledgerOnly: true,
  handler: async ({ node, type, policy, parameters, agent: asked }, context) => {
    const desk = requireCapability<ContextDesk>(context, 'context');
    const agent = await desk.actingAgent(context.runId, asked);
    const request = { node, type, agent, ...given({ policy, parameters }) };
    const drafted = await desk.draftSynthesis(request, blobsOf(context));
    return { ...recordFrame(context, drafted), skipped: [...drafted.skipped] };
  },
});
