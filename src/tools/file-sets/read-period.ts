// Owns: periods of time in words, relative to a moment, in the time zone of this process.
import { parse } from 'chrono-node/en';
import type { EpochMs } from '../../kernel/index.ts';

/** From the first to before the second time; a missing end is open. */
export interface Period {
  readonly from?: EpochMs;
  readonly until?: EpochMs;
}

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
type Span = { readonly from: EpochMs; readonly until: EpochMs };

const UNITS = '(minute|hour|day|week|month|year)s?';
const NUMBER = '(\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)';
const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const OLDER = new RegExp(`^(?:older than|over|more than|at least) ${NUMBER} ${UNITS}(?: (?:ago|old))?$`);
const NEWER = new RegExp(
  `^(?:newer than|younger than|less than|under|(?:in|within|during|from|over|for)? ?(?:the )?(?:last|past)) ${NUMBER} ${UNITS}(?: (?:ago|old))?$`,
);
const ROLLING = new RegExp(`^(?:in|within|during|over|from)? ?(?:the past|past|the last) ${UNITS}$`);

/** Reads a period such as "last week", "since Monday" or "older than 30 days"; undefined when it is none. */
export function readPeriod(text: string, now: EpochMs): Period | undefined {
  const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const older = OLDER.exec(phrase);
  if (older) return { until: back(now, amountOf(older[1]), older[2] as Unit) };
  const newer = NEWER.exec(phrase);
  if (newer) return { from: back(now, amountOf(newer[1]), newer[2] as Unit) };
  const rolling = ROLLING.exec(phrase);
  if (rolling) return { from: back(now, 1, rolling[1] as Unit) };
  const [, first, second] = /^between (.+) and (.+)$/.exec(phrase) ?? [];
  if (first !== undefined && second !== undefined) {
    const [from, until] = [spanOf(first, now)?.from, spanOf(second, now)?.until];
    return from === undefined || until === undefined || from >= until ? undefined : { from, until };
  }
  const [, how = '', what = ''] =
    /^(?:(since|after|before|until|up to|older than|newer than|on|in|from|during|of|within)? ?)(.+)$/.exec(
      phrase,
    ) ?? [];
  const span = spanOf(what, now);
  if (span === undefined) return undefined;
  switch (how) {
    case 'since':
      return { from: span.from };
    case 'after':
    case 'newer than':
      return { from: span.until };
    case 'before':
    case 'older than':
      return { until: span.from };
    case 'until':
    case 'up to':
      return { until: span.until };
    default:
      return span;
  }
}

function amountOf(text = ''): number {
  if (/^an?$/.test(text)) return 1;
  return /^\d+$/.test(text) ? Number(text) : WORDS.indexOf(text);
}

/** The time so many units before another one. */
function back(now: EpochMs, amount: number, unit: Unit): EpochMs {
  const date = new Date(now);
  if (unit === 'month') date.setMonth(date.getMonth() - amount);
  else if (unit === 'year') date.setFullYear(date.getFullYear() - amount);
  else if (unit === 'week' || unit === 'day')
    date.setDate(date.getDate() - amount * (unit === 'week' ? 7 : 1));
  else date.setTime(now - amount * (unit === 'hour' ? 3_600_000 : 60_000));
  return date.getTime();
}

function spanOf(text: string, now: EpochMs): Span | undefined {
  const phrase = text.replace(/^the /, '');
  const [, which, unit] = /^(this|last|previous) (week|month|year)$/.exec(phrase) ?? [];
  if (unit !== undefined) return calendarSpan(now, unit as 'week', which === 'this' ? 0 : -1);
  if (/^(?:19|20)\d\d$/.test(phrase)) return unitSpan(new Date(Number(phrase), 0, 1), 'year');
  const [, year, month] = /^((?:19|20)\d\d)-(\d\d)$/.exec(phrase) ?? [];
  if (year !== undefined) return unitSpan(new Date(Number(year), Number(month) - 1, 1), 'month');
  return chronoSpan(phrase, now);
}

function calendarSpan(now: EpochMs, unit: 'week' | 'month' | 'year', step: number): Span {
  const date = startOfDay(new Date(now));
  // A week starts on Monday.
  if (unit === 'week') date.setDate(date.getDate() - ((date.getDay() + 6) % 7) + 7 * step);
  if (unit === 'month') date.setMonth(date.getMonth() + step, 1);
  if (unit === 'year') date.setFullYear(date.getFullYear() + step, 0, 1);
  return unitSpan(date, unit);
}

function unitSpan(start: Date, unit: 'day' | 'week' | 'month' | 'year'): Span {
  const end = new Date(start);
  if (unit === 'day' || unit === 'week') end.setDate(end.getDate() + (unit === 'week' ? 7 : 1));
  if (unit === 'month') end.setMonth(end.getMonth() + 1);
  if (unit === 'year') end.setFullYear(end.getFullYear() + 1);
  return { from: start.getTime(), until: end.getTime() };
}

/** A day, month or hour in words. Files change in the past, so "Monday" is the last one. */
function chronoSpan(phrase: string, now: EpochMs): Span | undefined {
  const [found, ...others] = parse(phrase, new Date(now));
  if (found === undefined || others.length > 0 || found.end || found.text.length !== phrase.length)
    return undefined;
  const { start } = found;
  const date = start.date();
  if (start.isCertain('hour')) return { from: date.getTime(), until: date.getTime() + 60_000 };
  const isDay = start.isCertain('day') || start.isCertain('weekday');
  if (!isDay && !start.isCertain('month')) return undefined;
  const day = startOfDay(date);
  if (!isDay) day.setDate(1);
  if (day.getTime() > now && start.isCertain('weekday')) day.setDate(day.getDate() - 7);
  else if (day.getTime() > now && !start.isCertain('year')) day.setFullYear(day.getFullYear() - 1);
  return unitSpan(day, isDay ? 'day' : 'month');
}

function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}
