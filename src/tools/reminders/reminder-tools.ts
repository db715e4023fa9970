// Owns: the tools for reminders. Their inputs are structures, so that only a procedure or a model calls them, no single word.
import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { defineTool, READS } from '../define-tool.ts';
import type { ReminderService } from './ports.ts';

const reminder = z.strictObject({
  id: z.string(),
  text: z.string(),
  zone: z.string(),
  cron: z.string().optional().describe('when it repeats; missing for a reminder that fires once'),
  next: z.int().optional().describe('when it fires next, in milliseconds since 1970'),
  next_local: z.string().optional(),
  fired: z.int().optional().describe('when it fired last'),
  fired_local: z.string().optional(),
});
/** They change the ledger only and start nothing that has rights. */
const RECORDS = {
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  schedules: true,
  acceptsMarks: true,
  ledgerOnly: true,
} as const satisfies Partial<Tool>;

export const setReminder: Tool = defineTool({
  name: 'reminders.set',
  description: 'Sets a reminder: a text that Oka shows at a time, once or repeatedly. It does nothing else.',
  input: z.strictObject({
    text: z.string().min(1).max(2_000).describe('what to say'),
    when: z
      .union([
        z.strictObject({ at: z.int().describe('milliseconds since 1970') }),
        z.strictObject({ cron: z.string().min(1).max(200) }),
      ])
      .describe('once at a time, or repeatedly by a cron expression'),
    zone: z.string().min(1).max(100).describe('an IANA time zone'),
  }),
  output: reminder,
  ...RECORDS,
  effect: ({ text }) => ({ kind: 'schedule', what: `set a reminder: ${text}` }),
  handler: (input, context) => service(context).remind({ ...input, run: context.runId }),
});

export const listReminders: Tool = defineTool({
  name: 'reminders.all',
  description: 'Returns the reminders, and whether a process runs that fires them.',
  input: z.strictObject({}),
  output: z.strictObject({ reminders: z.array(reminder), running: z.boolean() }),
  ...READS,
  ledgerOnly: true,
  async handler(_, context) {
    const { reminders, running } = await service(context).reminders();
    return { reminders: [...reminders], running };
  },
});

export const cancelReminders: Tool = defineTool({
  name: 'reminders.cancel',
  description: 'Cancels reminders. Other schedules cannot be cancelled with it.',
  input: z.strictObject({ ids: z.array(z.string().min(1)).min(1).max(100) }),
  output: z.strictObject({ cancelled: z.array(z.string()) }),
  ...RECORDS,
  effect: ({ ids }) => ({ kind: 'schedule', what: `cancel ${ids.join(', ')}` }),
  async handler({ ids }, context) {
    for (const id of ids) await service(context).cancelReminder(id, context.runId);
    return { cancelled: ids };
  },
});

function service(context: ToolContext): ReminderService {
  return requireCapability<ReminderService>(context, 'reminders');
}
