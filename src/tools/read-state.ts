import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { anyJson, defineTool, READS } from './define-tool.ts';
import type { StateReader } from './ports.ts';

/** The owner of values that belong to no graph. */
const WORKSPACE_STATE = 'workspace';

export const stateOwner = z
  .string()
  .min(1)
  .default(WORKSPACE_STATE)
  .describe('the graph that owns the value; default: the workspace');

export const readState: Tool = defineTool({
  name: 'state.read',
  description: 'Reads a durable value by its key. Each graph has its own values.',
  input: z.strictObject({
    key: z.string().min(1).max(200),
    graph: stateOwner,
    default: anyJson.optional().describe('the result if the key has no value'),
  }),
  output: z.object({ key: z.string(), value: anyJson }),
  ...READS,
  ledgerOnly: true,
  handler: async ({ key, graph, default: otherwise }, context) => {
    const found = await requireCapability<StateReader>(context, 'state').get(graph, key);
    if (found?.untrusted)
      context.noteRead?.({ untrusted: `the value "${key}" of ${graph}, written by run ${found.run}` });
    return { key, value: found === undefined ? (otherwise ?? null) : found.value };
  },
});
