import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defined, defineTool } from '../define-tool.ts';
import type { MemoryService } from './ports.ts';

const DAY_MS = 86_400_000;

export const remember: Tool = defineTool({
  name: 'memory.remember',
  description: 'Stores a fact for later runs; the same text is the same fact.',
  input: z.strictObject({
    text: z.string().min(1).max(20_000).describe('the fact, as a sentence that can be understood on its own'),
    namespace: z.string().min(1).max(100).optional().describe('the namespace of the fact'),
    importance: z.int().min(1).max(5).optional().describe('from 1 (minor) to 5 (essential)'),
    ttl_days: z.number().positive().max(36_500).optional().describe('the fact expires after this many days'),
    file: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('the file or folder that the fact is based on; the fact turns stale when it changes'),
  }),
  output: z.strictObject({
    id: z.string(),
    outcome: z.enum(['added', 'affirmed', 'known']),
    untrusted: z.boolean(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  acceptsMarks: true,
  ledgerOnly: true,
  effect: ({ text }) => ({ kind: 'memory', what: `remember: ${text}` }),
  async handler({ text, namespace, importance, ttl_days: ttlDays, file }, context) {
    return requireCapability<MemoryService>(context, 'memory').remember({
      text,
      run: context.runId,
      untrusted: context.untrusted ?? false,
      ...defined({ namespace, importance, file, ttlMs: ttlDays && ttlDays * DAY_MS }),
    });
  },
});
