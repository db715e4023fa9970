import * as z from 'zod';
import type { Tool } from '../engine/index.ts';
import { graphStateStream, stateWritten } from '../graph/index.ts';
import { anyJson, defineTool } from './define-tool.ts';
import { stateOwner } from './read-state.ts';

export const writeState: Tool = defineTool({
  name: 'state.write',
  description: 'Writes a durable value under a key; earlier values stay in the history.',
  input: z.strictObject({
    key: z.string().min(1).max(200),
    value: anyJson,
    graph: stateOwner,
  }),
  output: z.object({ key: z.string(), value: anyJson, written: z.boolean() }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
  sideEffect: 'write_local',
  recordsOnly: true,
  simulatable: true,
  ledgerOnly: true,
  effect: ({ key, value, graph }) => ({
    kind: 'state',
    what: `set ${key} of ${graph} to ${JSON.stringify(value)}`,
  }),
  handler: ({ key, value, graph }, context) => {
    const { runId: run, step, untrusted = false } = context;
    const event = stateWritten({ key, value, run, step, untrusted });
    context.record({ stream: graphStateStream(graph), event });
    return { key, value, written: true };
  },
});
