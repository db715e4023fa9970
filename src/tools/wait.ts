import * as z from 'zod';
import { PendingAnswer, type Tool } from '../engine/index.ts';
import { defineTool, READS } from './define-tool.ts';

const MAX_SECONDS = 366 * 24 * 60 * 60;

export const wait: Tool = defineTool({
  name: 'engine.wait',
  description: 'Waits for a number of seconds or until a date and time; the run is parked meanwhile.',
  input: z
    .strictObject({
      seconds: z.number().min(0).max(MAX_SECONDS).optional().describe('how long to wait'),
      until: z.iso.datetime({ offset: true }).optional().describe('the end, such as 2030-01-31T08:00:00Z'),
    })
    .refine(({ seconds, until }) => (seconds === undefined) !== (until === undefined), {
      error: 'give either seconds or until',
    }),
  output: z.object({ at: z.number() }),
  ...READS,
  ledgerOnly: true,
  handler: ({ seconds, until }, context) =>
    new PendingAnswer({
      kind: 'timer',
      at: until === undefined ? context.now() + (seconds ?? 0) * 1_000 : Date.parse(until),
    }),
});
