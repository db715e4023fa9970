import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defined, defineTool, READS } from '../define-tool.ts';
import type { MemoryService } from './ports.ts';

const hit = z.strictObject({
  kind: z.enum(['fact', 'episode', 'run']),
  id: z.string(),
  text: z.string(),
  score: z.number(),
  at: z.int(),
  state: z.string().optional(),
  source: z.string().optional(),
  untrusted: z.literal(true).optional(),
});

export const recall: Tool = defineTool({
  name: 'memory.recall',
  description: 'Finds remembered facts and past events, best first.',
  input: z.strictObject({
    query: z.string().min(1).max(10_000).describe('a question or keywords'),
    namespace: z.string().min(1).max(100).optional().describe('search only this namespace'),
    limit: z.int().min(1).max(50).optional().describe('the maximum number of hits; default: 10'),
  }),
  output: z.strictObject({ hits: z.array(hit), degraded: z.boolean() }),
  ...READS,
  ledgerOnly: true,
  untrusted: true,
  async handler({ query, namespace, limit = 10 }, context) {
    const memory = requireCapability<MemoryService>(context, 'memory');
    const { hits, degraded } = await memory.recall({ query, limit, ...defined({ namespace }) });
    return { hits: [...hits], degraded };
  },
});
