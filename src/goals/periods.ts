// Owns: periods of time as people say them, the times that they mean at a moment, and the dates in words.
// A period stays as it was said, so that "last week" in a graph means another week next week.

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** `start`: where a day, week, month or year begins, so many after the current one. */
export type Moment =
  | { readonly date: string }
  | { readonly start: Exclude<Unit, 'minute' | 'hour'>; readonly after: number }
  | { readonly ago: number; readonly unit: Unit }
  /** The newest such day, 1 for Monday; and `after` days later. */
  | { readonly weekday: number; readonly after: number }
  /** The newest such month, 1 for January, or that of a year; and `after` months later. */
  | { readonly month: number; readonly year?: number; readonly after: number };

/** From a moment on, and until before one. */
export interface Period {
  readonly from?: Moment;
  readonly until?: Moment;
}

/** The times of a period, in epoch milliseconds. */
export interface Interval {
  readonly from?: number;
  readonly until?: number;
}

const MINUTE_MS = 60_000;

export function intervalOf({ from, until }: Period, now: number): Interval {
  return {
    ...(from === undefined ? {} : { from: timeOf(from, now) }),
    ...(until === undefined ? {} : { until: timeOf(until, now) }),
  };
}

function timeOf(moment: Moment, now: number): number {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  if ('date' in moment) {
    const [y = 0, m = 1, d = 1] = moment.date.split('-').map(Number);
    return new Date(y, m - 1, d).getTime();
  }
  if ('ago' in moment) return before(now, moment.ago, moment.unit);
  if ('weekday' in moment) {
    const back = (today.getDay() - moment.weekday + 7) % 7;
    return new Date(year, month, day - back + moment.after).getTime();
  }
  if ('month' in moment) {
    const named = moment.month - 1;
    const inYear = moment.year ?? (named > month ? year - 1 : year);
    return new Date(inYear, named + moment.after, 1).getTime();
  }
  switch (moment.start) {
    case 'day':
      return new Date(year, month, day + moment.after).getTime();
    case 'week':
      return new Date(year, month, day - ((today.getDay() + 6) % 7) + 7 * moment.after).getTime();
    case 'month':
      return new Date(year, month + moment.after, 1).getTime();
    case 'year':
      return new Date(year + moment.after, 0, 1).getTime();
  }
}

/** Months and years go back by the calendar; a day that a month lacks is its last. */
function before(now: number, count: number, unit: Unit): number {
  const date = new Date(now);
  switch (unit) {
    case 'minute':
      return now - count * MINUTE_MS;
    case 'hour':
      return now - count * 60 * MINUTE_MS;
    case 'day':
      date.setDate(date.getDate() - count);
      return date.getTime();
    case 'week':
      date.setDate(date.getDate() - 7 * count);
      return date.getTime();
    default: {
      const months = unit === 'month' ? count : 12 * count;
      const day = date.getDate();
      date.setDate(1);
      date.setMonth(date.getMonth() - months);
      const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
      date.setDate(Math.min(day, last));
      return date.getTime();
    }
  }
}
