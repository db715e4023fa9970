// What a person chooses in the form of a schedule, as a cron expression.

export const TIMINGS = ['minutes', 'hours', 'daily', 'weekdays', 'weekly', 'cron', 'change'] as const;
export type TimingKind = (typeof TIMINGS)[number];

export const TIMING_WORDS: Readonly<Record<TimingKind, string>> = {
  minutes: 'Every few minutes',
  hours: 'Every few hours',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Once a week',
  cron: 'Cron expression',
  change: 'When files change',
};

/** Only divisors, so that the distance is the same across the hour and the day. */
export const MINUTES = [1, 2, 5, 10, 15, 20, 30] as const;
export const HOURS = [1, 2, 3, 4, 6, 8, 12] as const;
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export interface Timing {
  readonly kind: TimingKind;
  readonly minutes: string;
  readonly hours: string;
  /** `07:00` */
  readonly time: string;
  readonly weekday: string;
  readonly cron: string;
  /** A path of the workspace. */
  readonly path: string;
}

export const FIRST_TIMING: Timing = {
  kind: 'daily',
  minutes: '15',
  hours: '1',
  time: '07:00',
  weekday: 'Monday',
  cron: '0 9 * * MON-FRI',
  path: '',
};

/** The cron expression of a choice; empty if it is not complete, or fires on a change. */
export function cronOf({ kind, minutes, hours, time, weekday, cron }: Timing): string {
  const [hour = '', minute = ''] = time.split(':');
  const at = hour === '' || minute === '' ? undefined : `${Number(minute)} ${Number(hour)}`;
  switch (kind) {
    case 'minutes':
      return minutes === '1' ? '* * * * *' : `*/${minutes} * * * *`;
    case 'hours':
      return hours === '1' ? '0 * * * *' : `0 */${hours} * * *`;
    case 'daily':
      return at === undefined ? '' : `${at} * * *`;
    case 'weekdays':
      return at === undefined ? '' : `${at} * * MON-FRI`;
    case 'weekly':
      return at === undefined ? '' : `${at} * * ${weekday.slice(0, 3).toUpperCase()}`;
    case 'cron':
      return cron.trim();
    case 'change':
      return '';
  }
}
