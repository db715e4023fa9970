import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import type { MemoryKeeper } from './ports.ts';

const DAY_MS = 86_400_000;

/** The tool that keeps a fact for later runs. */
export const remember: Tool = defineTool({
  name: 'memory.remember',
  description: 'Keeps a fact for later runs; the same text again is the same fact.',
  input: z.strictObject({
    text: z.string().min(1).max(20_000).describe('the fact, as a sentence that can be understood on its own'),
    namespace: z.string().min(1).max(100).optional().describe('where it belongs'),
    importance: z.int().min(1).max(5).optional().describe('1, hardly matters, to 5, must not be forgotten'),
    ttl_days: z
      .number()
      .positive()
      .max(36_500)
      .optional()
      .describe('after so many days it does not hold any more'),
  }),
  output: z.strictObject({
    id: z.string(),
    outcome: z.enum(['added', 'affirmed', 'known']),
    untrusted: z.boolean(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  ledgerOnly: true,
  async handler({ text, namespace, importance, ttl_days: ttlDays }, context) {
    return requireCapability<MemoryKeeper>(context, 'memory').remember({
      text,
      run: context.runId,
      ...(namespace === undefined ? {} : { namespace }),
      ...(importance === undefined ? {} : { importance }),
      ...(ttlDays === undefined ? {} : { ttlMs: ttlDays * DAY_MS }),
    });
  },
});
