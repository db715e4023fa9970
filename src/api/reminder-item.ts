import type { ScheduleItem } from './graph-api.ts';

/** The graph of every reminder, which is a schedule that only says its text. No file has this name. */
export const REMINDER_GRAPH = 'oka:reminder';

const DAY_MS = 86_400_000;

/** A reminder among the schedules. */
export interface ReminderItem {
  readonly id: string;
  readonly text: string;
  readonly nextAt: number | null;
  /** When it came: until it is cancelled, or for a day if it comes again. */
  readonly firedAt: number | null;
}

/** The reminders among the schedules. */
export function remindersIn(schedules: readonly ScheduleItem[], now: number): readonly ReminderItem[] {
  return schedules
    .filter(({ graph }) => graph === REMINDER_GRAPH)
    .map(({ id, input, next, lastFiredAt }) => {
      const { text } = (input ?? {}) as { text?: unknown };
      const isShown = lastFiredAt !== undefined && (next.length === 0 || now - lastFiredAt < DAY_MS);
      return { id, text: String(text ?? ''), nextAt: next[0] ?? null, firedAt: isShown ? lastFiredAt : null };
    });
}
