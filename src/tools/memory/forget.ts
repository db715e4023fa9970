import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import type { MemoryService } from './ports.ts';

export const forget: Tool = defineTool({
  name: 'memory.forget',
  description: 'Erases a remembered fact permanently; cannot be undone.',
  input: z.strictObject({ id: z.string().min(1).max(200).describe('the id of the fact') }),
  output: z.strictObject({ id: z.string() }),
  annotations: { readOnly: false, destructive: true, idempotent: false, cacheable: false, risk: 'high' },
  sideEffect: 'write_local',
  acceptsMarks: true,
  ledgerOnly: true,
  effect: ({ id }) => ({ kind: 'memory', what: `erase the fact ${id}` }),
  async handler({ id }, context) {
    await requireCapability<MemoryService>(context, 'memory').forget(id, context.runId);
    return { id };
  },
});
