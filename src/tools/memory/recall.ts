import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import type { MemoryKeeper } from './ports.ts';

const LIMIT = 10;

const hit = z.strictObject({
  kind: z.enum(['fact', 'episode', 'run']),
  id: z.string(),
  text: z.string(),
  score: z.number(),
  at: z.int(),
  source: z.string().optional(),
  untrusted: z.literal(true).optional(),
});

/** The tool that finds what was remembered and what happened. What it finds may have been written by anybody. */
export const recall: Tool = defineTool({
  name: 'memory.recall',
  description: 'Finds facts that were remembered and what happened before, best first.',
  input: z.strictObject({
    query: z.string().min(1).max(10_000).describe('what to look for, as a question or as words'),
    namespace: z.string().min(1).max(100).optional().describe('only of this namespace'),
    limit: z.int().min(1).max(50).optional().describe(`how many at the most; ${LIMIT} if left out`),
  }),
  output: z.strictObject({ hits: z.array(hit), degraded: z.boolean() }),
  annotations: READ_ONLY,
  sideEffect: 'read',
  ledgerOnly: true,
  untrusted: true,
  async handler({ query, namespace, limit = LIMIT }, context) {
    const request = { query, limit, ...(namespace === undefined ? {} : { namespace }) };
    const { hits, degraded } = await requireCapability<MemoryKeeper>(context, 'memory').recall(request);
    return { hits: [...hits], degraded };
  },
});
