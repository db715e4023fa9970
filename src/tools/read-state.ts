import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { anyJson, defineTool, READ_ONLY } from './define-tool.ts';
import type { StateReader } from './state-ports.ts';

/** Where values stand that belong to no graph. */
export const WORKSPACE_STATE = 'workspace';

export const readState: Tool = defineTool({
  name: 'state.read',
  description: 'Reads a durable value by its key; the values of each graph are apart.',
  input: z.strictObject({
    key: z.string().min(1).max(200),
    graph: z
      .string()
      .min(1)
      .default(WORKSPACE_STATE)
      .describe('whose values; those of the workspace if left out'),
    default: anyJson.optional().describe('what to answer when the key has no value'),
  }),
  output: z.object({ key: z.string(), value: anyJson }),
  annotations: READ_ONLY,
  sideEffect: 'read',
  ledgerOnly: true,
  handler: async ({ key, graph, default: otherwise }, context) => {
    const found = await requireCapability<StateReader>(context, 'state').get(graph, key);
    return { key, value: found === undefined ? (otherwise ?? null) : found.value };
  },
});
