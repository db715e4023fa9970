import * as z from 'zod';
import type { Tool } from '../../engine/index.ts';
import { defineTool, READS } from '../define-tool.ts';

const moment = z.strictObject({
  at: z.int().describe('milliseconds since 1970'),
  date: z.string().describe('such as 2030-01-31'),
  time: z.string().describe('such as 08:00'),
  weekday: z.string(),
});

export const timeNow: Tool = defineTool({
  name: 'time.now',
  description:
    'Returns the date and time of this machine, and on request the moment that words such as "tomorrow at 9" mean.',
  input: z.strictObject({
    words: z.string().min(1).max(200).optional().describe('a moment in words, relative to now'),
  }),
  output: moment.extend({
    zone: z.string().describe('the time zone of this machine'),
    meant: moment
      .extend({ has_time: z.boolean() })
      .optional()
      .describe('what the words mean; missing if unknown'),
  }),
  ...READS,
  async handler({ words }, context) {
    const now = context.now();
    const meant = words === undefined ? undefined : await readWords(words, now);
    const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
    return {
      ...momentAt(now),
      zone,
      ...(meant && { meant: { ...momentAt(meant.at), has_time: meant.hasTime } }),
    };
  },
});

async function readWords(words: string, now: number) {
  const { readMoment } = await import('./read-moment.ts');
  return readMoment(words, now);
}

function momentAt(at: number): z.output<typeof moment> {
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .split(' ');
  return { at, date, time, weekday: new Intl.DateTimeFormat('en', { weekday: 'long' }).format(at) };
}
