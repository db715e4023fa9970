import * as z from 'zod';
import { PendingAnswer, type Tool } from '../engine/index.ts';
import { defineTool, READS } from './define-tool.ts';

export const waitEvent: Tool = defineTool({
  name: 'engine.wait_event',
  description: 'Waits until the run receives an event of that name, and returns its data.',
  input: z.strictObject({
    event: z.string().min(1).max(200).describe('the name of the event'),
    timeout_seconds: z.number().positive().optional().describe('fails after this time'),
  }),
  output: z.json(),
  ...READS,
  ledgerOnly: true,
  handler: ({ event, timeout_seconds: timeout }, context) =>
    new PendingAnswer({
      kind: 'event',
      event,
      ...(timeout === undefined ? {} : { timeoutAt: context.now() + timeout * 1_000 }),
    }),
});
