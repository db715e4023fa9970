import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool, READS } from '../define-tool.ts';
import type { MemoryService } from './ports.ts';

/** Named after its result, so that "list …" in a goal does not mean this tool. */
export const listFacts: Tool = defineTool({
  name: 'memory.facts',
  description: 'Returns the remembered facts that hold now, the newest first.',
  input: z.strictObject({
    limit: z.int().min(1).max(500).default(200).describe('the maximum number of facts'),
  }),
  output: z.strictObject({
    facts: z.array(
      z.strictObject({ id: z.string(), text: z.string(), at: z.int(), state: z.string().optional() }),
    ),
    truncated: z.boolean(),
  }),
  ...READS,
  ledgerOnly: true,
  untrusted: true,
  async handler({ limit }, context) {
    const found = await requireCapability<MemoryService>(context, 'memory').facts(limit + 1);
    return { facts: [...found.slice(0, limit)], truncated: found.length > limit };
  },
});
