import { Cron, CronPattern } from 'croner';
import { memoize, nearestName, OkaError } from '../kernel/index.ts';
import type { ScheduleErrorCode } from './types.ts';

/**
 * A wall-clock reading, as the milliseconds of the same reading in UTC. It has no zone: in a zone, a reading may occur twice or
 * never.
 */
export type WallTime = number;

/** A parsed cron expression, which finds the wall-clock readings that match it. */
export interface CronExpression {
  /** The first match after `wall`. */
  next(wall: WallTime): WallTime | undefined;
  /** The last `count` matches before `wall`, newest first. */
  previous(wall: WallTime, count: number): readonly WallTime[];
  /** True if every hour matches, so that the expression means a rhythm and not times of the day. */
  readonly everyHour: boolean;
  /** True if minute and second of the reading match, regardless of hour and day. */
  minuteMatches(wall: WallTime): boolean;
}

/** Within 400 years from here, every combination of date and weekday occurs. */
const START_OF_CYCLE = Date.UTC(2000, 0, 1) - 1_000;
const MAX_CACHED = 500;

/**
 * Reads five fields (minute hour day-of-month month day-of-week), six with seconds in front, an alias like @daily, or one
 * reading such as @at 2030-01-31T08:00.
 * Rejects with `schedule.invalid_cron`, or `schedule.never_fires` when no date can match.
 */
export const parseCron: (expression: string) => CronExpression = memoize(MAX_CACHED, (expression) => {
  const once = ONCE.exec(expression.trim())?.[1];
  if (once !== undefined) return onlyAt(once, expression);
  const plain = normalizeCron(expression);
  // With a fixed offset the library applies no zone; `occurrences` does that.
  const cron = new Cron(plain, { mode: '6-part', utcOffset: 0 });
  const pattern = new CronPattern(plain, undefined, { mode: '6-part' });
  if (cron.nextRun(new Date(START_OF_CYCLE)) === null)
    throw new OkaError<ScheduleErrorCode>(
      'schedule.never_fires',
      `No date matches "${expression}". Check that the day of the month exists in the month, as in "0 9 28 2 *".`,
      { data: { cron: expression } },
    );
  return {
    next: (wall) => cron.nextRun(new Date(wall))?.getTime(),
    previous: (wall, count) => cron.previousRuns(count, new Date(wall)).map((date) => date.getTime()),
    everyHour: pattern.hour.every((matches) => matches === 1),
    minuteMatches(wall) {
      const date = new Date(wall);
      return pattern.minute[date.getUTCMinutes()] === 1 && pattern.second[date.getUTCSeconds()] === 1;
    },
  };
});

const ONCE = /^@at (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)$/i;

/** An expression that matches one reading. */
function onlyAt(reading: string, expression: string): CronExpression {
  const at = Date.parse(`${reading.toUpperCase()}Z`);
  if (Number.isNaN(at))
    throw refuse(expression, 'there is no such date or time; write it as in "@at 2030-01-31T08:00"');
  const time = (wall: WallTime): number =>
    new Date(wall).getUTCMinutes() * 60 + new Date(wall).getUTCSeconds();
  return {
    next: (wall) => (wall < at ? at : undefined),
    previous: (wall, count) => (wall > at && count > 0 ? [at] : []),
    everyHour: false,
    minuteMatches: (wall) => time(wall) === time(at),
  };
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** The number of the first name. */
  readonly firstName?: number;
  readonly example: string;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const FIELDS: readonly Field[] = [
  { name: 'second', min: 0, max: 59, example: '30 0 9 * * *' },
  { name: 'minute', min: 0, max: 59, example: '*/15 * * * *' },
  { name: 'hour', min: 0, max: 23, example: '0 9-17 * * *' },
  { name: 'day-of-month', min: 1, max: 31, example: '0 9 1,15 * *' },
  { name: 'month', min: 1, max: 12, names: MONTHS, firstName: 1, example: '0 9 1 JAN,JUL *' },
  { name: 'day-of-week', min: 0, max: 7, names: WEEKDAYS, firstName: 0, example: '0 9 * * MON-FRI' },
];

const ALIASES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

const ITEM = /^(?<from>\*|[A-Z0-9]+)(?:-(?<to>[A-Z0-9]+))?(?:\/(?<step>\d+))?$/;
const NTH_WEEKDAY = /^([A-Z0-9]+?)(?:#([1-5L])|(L))$/;
const NEAREST_WEEKDAY = /^(\d+)W$/;

/** Normalizes an expression: six fields, numbers instead of names, aliases expanded. */
export function normalizeCron(expression: string): string {
  const text = expression.trim().toUpperCase();
  const parts = (text.startsWith('@') ? aliasOf(text, expression) : text).split(/\s+/);
  if (parts.length < 5 || parts.length > 6 || parts[0] === '') {
    const count = parts[0] === '' ? 0 : parts.length;
    throw refuse(
      expression,
      `it has ${count} ${count === 1 ? 'field' : 'fields'}; write five (minute hour day-of-month month day-of-week), or ` +
        'six with seconds in front, as in "0 9 * * MON-FRI"',
    );
  }
  if (parts.length === 5) parts.unshift('0');
  return parts.map((part, place) => normalizeField(part, FIELDS[place] as Field, expression)).join(' ');
}

function aliasOf(text: string, expression: string): string {
  const known = ALIASES[text.toLowerCase()];
  if (known !== undefined) return known;
  const nearest = nearestName(text, Object.keys(ALIASES));
  throw refuse(expression, `unknown alias; use ${nearest ?? `one of ${Object.keys(ALIASES).join(' ')}`}`);
}

function normalizeField(part: string, field: Field, expression: string): string {
  const isWeekday = field.name === 'day-of-week';
  const isDay = field.name === 'day-of-month';
  if (part === '?' && (isWeekday || isDay)) return '*';
  const both = isWeekday && part.startsWith('+') ? '+' : '';
  const text = both ? part.slice(1) : part;
  if (isDay && text === 'LW') return text;
  const items = text.split(',').map((item) => normalizeItem(item, field, expression));
  return both + items.join(',');
}

function normalizeItem(item: string, field: Field, expression: string): string {
  if (field.name === 'day-of-month') {
    if (item === 'L') return item;
    const nearest = NEAREST_WEEKDAY.exec(item);
    if (nearest) return `${numberOf(nearest[1] as string, field, expression)}W`;
  }
  if (field.name === 'day-of-week' && !field.names?.includes(item)) {
    const nth = NTH_WEEKDAY.exec(item);
    if (nth) return `${numberOf(nth[1] as string, field, expression)}#${nth[2] ?? 'L'}`;
  }
  const { from, to, step } = ITEM.exec(item)?.groups ?? {};
  if (from === undefined) throw refuseField(item, field, expression, 'it is not a value, a range or a step');
  if (from === '*' && to !== undefined)
    throw refuseField(item, field, expression, 'a range needs a number on each side');
  if (from !== '*' && to === undefined && step !== undefined) {
    const first = numberOf(from, field, expression);
    throw refuseField(item, field, expression, `a step needs a range; write ${first}-${field.max}/${step}`);
  }
  const ending = step === undefined ? '' : `/${stepOf(step, field, expression)}`;
  if (from === '*') return `*${ending}`;
  const low = numberOf(from, field, expression);
  if (to === undefined) return `${low}`;
  const high = field.name === 'day-of-week' && to === 'SUN' ? 7 : numberOf(to, field, expression);
  if (low > high) {
    const around = `${low}-${field.max},${field.min}-${high}`;
    throw refuseField(item, field, expression, `the range goes backwards; write ${around} if that is meant`);
  }
  return `${low}-${high}${ending}`;
}

function numberOf(text: string, field: Field, expression: string): number {
  const named = field.names?.indexOf(text) ?? -1;
  if (named >= 0) return named + (field.firstName as number);
  if (!/^\d{1,4}$/.test(text)) {
    const short = field.names?.find((name) => text.startsWith(name));
    const problem = short === undefined ? 'it is not a number or a name known here' : `write ${short}`;
    throw refuseField(text, field, expression, problem);
  }
  const value = Number(text);
  if (value < field.min) throw refuseField(text, field, expression, `${value} is below ${field.min}`);
  if (value > field.max) throw refuseField(text, field, expression, `${value} is above ${field.max}`);
  return value;
}

function stepOf(text: string, field: Field, expression: string): number {
  const step = Number(text);
  const max = field.name === 'day-of-week' ? 7 : field.max - field.min + 1;
  if (step >= 1 && step <= max) return step;
  throw refuseField(`/${text}`, field, expression, `a step goes from 1 to ${max}`);
}

function refuseField(item: string, field: Field, expression: string, problem: string): OkaError {
  const names = field.names ? ` or ${field.names[0]} to ${field.names.at(-1)}` : '';
  return refuse(
    expression,
    `"${item}" does not fit the ${field.name} field: ${problem}. The field takes ${field.min} to ${field.max}${names}, ` +
      `*, lists, ranges and steps; for example "${field.example}"`,
    { field: field.name, item },
  );
}

function refuse(expression: string, problem: string, data: Readonly<Record<string, string>> = {}): OkaError {
  const message = `"${expression}" is not a cron expression: ${problem}.`;
  return new OkaError<ScheduleErrorCode>('schedule.invalid_cron', message, {
    data: { cron: expression, ...data },
  });
}
