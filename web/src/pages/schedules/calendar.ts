// Days of the calendar, in the time zone of the browser.

import type { ScheduleItem } from '../../api/types.ts';

/** A planned firing. */
export interface Planned {
  readonly schedule: ScheduleItem;
  readonly at: number;
}

/** The firings of one schedule on one day. */
export interface DayEntry {
  readonly schedule: ScheduleItem;
  readonly times: readonly number[];
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-17` */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `09:41` */
export function clockOf(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The firings of each day in the order of their first one; several of one schedule are together. */
export function byDay(planned: readonly Planned[]): ReadonlyMap<string, readonly DayEntry[]> {
  const days = new Map<string, Map<string, { schedule: ScheduleItem; times: number[] }>>();
  for (const { schedule, at } of planned.toSorted((one, other) => one.at - other.at)) {
    const day = days.get(dayOf(at)) ?? new Map();
    days.set(dayOf(at), day);
    const entry = day.get(schedule.id) ?? { schedule, times: [] };
    day.set(schedule.id, entry);
    entry.times.push(at);
  }
  return new Map([...days].map(([day, entries]) => [day, [...entries.values()]]));
}

export interface Month {
  /** `2026-11` */
  readonly name: string;
  /** `November 2026` */
  readonly title: string;
  /** From the first moment of the month to the first of the next one. */
  readonly from: number;
  readonly until: number;
  /** Weeks from Monday; days of other months are missing. */
  readonly weeks: readonly (readonly (string | undefined)[])[];
}

const WEEK = 7;

/** The month with this name, or the one that `now` is in. */
export function monthOf(name: string, now: number, move = 0): Month {
  const [year, month] = /^\d{4}-\d{2}$/.test(name)
    ? (name.split('-').map(Number) as [number, number])
    : [new Date(now).getFullYear(), new Date(now).getMonth() + 1];
  const first = new Date(year, month - 1 + move, 1);
  const next = new Date(year, month + move, 1);
  const count = new Date(year, month + move, 0).getDate();
  // Sunday is 0.
  const before = (first.getDay() + WEEK - 1) % WEEK;
  const prefix = dayOf(first.getTime()).slice(0, 7);
  const cells: (string | undefined)[] = [
    ...Array<undefined>(before).fill(undefined),
    ...Array.from({ length: count }, (_, index) => `${prefix}-${two(index + 1)}`),
  ];
  while (cells.length % WEEK !== 0) cells.push(undefined);
  const weeks = Array.from({ length: cells.length / WEEK }, (_, index) =>
    cells.slice(index * WEEK, (index + 1) * WEEK),
  );
  const title = first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  return { name: prefix, title, from: first.getTime(), until: next.getTime(), weeks };
}

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `Today`, `Tomorrow`, or `Friday, 2026-11-20`. */
export function dayTitle(day: string, now: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  if (day === dayOf(now)) return 'Today';
  const at = new Date(year, month - 1, date);
  const today = new Date(now);
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  if (at.getTime() === tomorrow.getTime()) return 'Tomorrow';
  return `${DAY_NAMES[at.getDay()]}, ${day}`;
}
