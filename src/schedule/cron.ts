import { Cron, CronPattern } from 'croner';
import { OkaError } from '../kernel/index.ts';
import { plainCron } from './cron-fields.ts';
import type { ScheduleErrorCode } from './types.ts';

/**
 * A time on a wall clock, as the milliseconds that the same reading would be in UTC. It says nothing about a zone: a
 * reading may occur twice there, or never.
 */
export type WallTime = number;

/** A checked cron expression, which knows the readings of a wall clock that match it. */
export interface CronExpression {
  /** The first match after `wall`. */
  next(wall: WallTime): WallTime | undefined;
  /** The last `count` matches before `wall`, newest first. */
  previous(wall: WallTime, count: number): readonly WallTime[];
  /** True when no hour is left out, so that the expression means a rhythm and not times of the day. */
  readonly everyHour: boolean;
  /** True when the minute and second of the reading match, whatever its hour and day. */
  minuteMatches(wall: WallTime): boolean;
}

/** Four hundred years on from here every combination of date and weekday has occurred. */
const START_OF_CYCLE = Date.UTC(2000, 0, 1) - 1_000;
const MOST_REMEMBERED = 500;
const remembered = new Map<string, CronExpression>();

/**
 * Reads five fields (minute hour day-of-month month day-of-week), six with seconds in front, or an alias like @daily.
 * Rejects with `schedule.invalid_cron`, or `schedule.never_fires` when no date can match.
 */
export function parseCron(expression: string): CronExpression {
  const known = remembered.get(expression);
  if (known) return known;
  const parsed = read(expression);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(expression, parsed);
  return parsed;
}

function read(expression: string): CronExpression {
  const plain = plainCron(expression);
  // With a fixed offset the library knows no zone: it answers readings, and the zone is ours to apply.
  const cron = new Cron(plain, { mode: '6-part', utcOffset: 0 });
  const pattern = new CronPattern(plain, undefined, { mode: '6-part' });
  if (cron.nextRun(new Date(START_OF_CYCLE)) === null) {
    const code: ScheduleErrorCode = 'schedule.never_fires';
    throw new OkaError(
      code,
      `no date ever matches "${expression}"; check that the day of the month exists in the month, as in "0 9 28 2 *".`,
      { data: { cron: expression } },
    );
  }
  return {
    next: (wall) => cron.nextRun(new Date(wall))?.getTime(),
    previous: (wall, count) => cron.previousRuns(count, new Date(wall)).map((date) => date.getTime()),
    everyHour: pattern.hour.every((matches) => matches === 1),
    minuteMatches(wall) {
      const date = new Date(wall);
      return pattern.minute[date.getUTCMinutes()] === 1 && pattern.second[date.getUTCSeconds()] === 1;
    },
  };
}
