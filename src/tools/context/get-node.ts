import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { type Json, toJson } from '../../kernel/index.ts';
import { anyJson, defineTool, READ_ONLY } from '../define-tool.ts';
import type { ContextDesk } from './ports.ts';
import { agentName, nodeName } from './record-frame.ts';

/** Which frames are wanted. */
export const frameFilter = {
  types: z.array(z.string()).optional().describe('only frames of these types'),
  agents: z.array(z.string()).optional().describe('only frames of these agents'),
  since: z.number().optional().describe('only frames from this moment on, in epoch milliseconds'),
  until: z.number().optional().describe('only frames up to this moment, in epoch milliseconds'),
};

export const getNode: Tool = defineTool({
  name: 'context.get_node',
  description:
    'Gives what was said about a file or folder of the workspace: its frames, as a view selects them.',
  input: z.strictObject({
    node: nodeName,
    max_frames: z.int().min(0).max(1_000).optional(),
    order: z.enum(['recency', 'type', 'agent']).optional(),
    ...frameFilter,
    agent: agentName,
  }),
  output: anyJson,
  annotations: READ_ONLY,
  sideEffect: 'read',
  untrusted: true,
  ledgerOnly: true,
  handler: async ({ node, max_frames, agent, ...rest }, context): Promise<Json> => {
    const desk = requireCapability<ContextDesk>(context, 'context');
    const view = { ...given(rest), ...(max_frames === undefined ? {} : { maxFrames: max_frames }) };
    return toJson(await desk.getNode(node, view, await desk.actingAgent(context.runId, agent)));
  },
});

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that were given. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}
