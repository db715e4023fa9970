import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { defined, defineTool, READS } from './define-tool.ts';
import type { StateReader } from './ports.ts';

const run = z.object({
  id: z.string(),
  status: z.string(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  failureCode: z.string().optional(),
});

export const priorRuns: Tool = defineTool({
  name: 'state.prior_runs',
  description: 'Lists earlier runs of a graph, newest first, without the current run.',
  input: z.strictObject({
    graph: z.string().min(1),
    limit: z.int().min(1).max(1_000).default(10),
    status: z.string().optional().describe('only runs with this status, such as completed or failed'),
  }),
  output: z.object({ count: z.number(), runs: z.array(run) }),
  ...READS,
  ledgerOnly: true,
  handler: async ({ graph, limit, status }, context) => {
    const state = requireCapability<StateReader>(context, 'state');
    const request = { graph, limit, except: context.runId, ...defined({ status }) };
    const found = await state.priorRuns(request);
    return { count: found.length, runs: found.map((one) => ({ ...one })) };
  },
});
