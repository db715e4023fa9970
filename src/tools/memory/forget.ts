import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { defineTool } from '../define-tool.ts';
import type { MemoryKeeper } from './ports.ts';

/** The tool that erases a fact. Nothing brings it back, so a person is asked. */
export const forget: Tool = defineTool({
  name: 'memory.forget',
  description: 'Erases a remembered fact for good; cannot be undone.',
  input: z.strictObject({ id: z.string().min(1).max(200).describe('the id of the fact') }),
  output: z.strictObject({ id: z.string() }),
  annotations: { readOnly: false, destructive: true, idempotent: false, cacheable: false, risk: 'high' },
  sideEffect: 'write_local',
  ledgerOnly: true,
  async handler({ id }, context) {
    await requireCapability<MemoryKeeper>(context, 'memory').forget(id, context.runId);
    return { id };
  },
});
