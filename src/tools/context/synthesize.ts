import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { anyJson, defined, defineTool } from '../define-tool.ts';
import {
  APPENDS,
  agentName,
  blobsOf,
  type FrameService,
  nodeName,
  recordFrame,
  writtenFrame,
} from './frame-tool.ts';

export const synthesize: Tool = defineTool({
  name: 'context.synthesize',
  description: 'Builds one frame of a folder from the frames of its children, by a deterministic policy.',
  input: z.strictObject({
    node: nodeName,
    type: z.string().min(1).max(64).default('note').describe('the type of frames; * for all'),
    policy: z
      .string()
      .min(1)
      .optional()
      .describe('concatenation, summarization, filtering, or a registered policy'),
    parameters: z.record(z.string(), anyJson).optional(),
    agent: agentName,
  }),
  output: writtenFrame.extend({ skipped: z.array(z.string()) }),
  ...APPENDS,
  simulatable: true,
  ledgerOnly: true,
  effect: ({ node, type }) => ({ kind: 'context', what: `build a frame (${type}) of ${node}` }),
  handler: async ({ node, type, policy, parameters, agent: actor }, context) => {
    const frames = requireCapability<FrameService>(context, 'context');
    const agent = await frames.actingAgent(context.runId, actor);
    const request = { node, type, agent, ...defined({ policy, parameters }) };
    const drafted = await frames.draftSynthesis(request, blobsOf(context));
    return { ...recordFrame(context, drafted), skipped: [...drafted.skipped] };
  },
});
