import { Cron, CronPattern } from 'croner';
import { OkaError } from '../kernel/index.ts';
import { normalizeCron } from './cron-fields.ts';
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
const cache = new Map<string, CronExpression>();

/**
 * Reads five fields (minute hour day-of-month month day-of-week), six with seconds in front, or an alias like @daily.
 * Rejects with `schedule.invalid_cron`, or `schedule.never_fires` when no date can match.
 */
export function parseCron(expression: string): CronExpression {
  const known = cache.get(expression);
  if (known) return known;
  const parsed = read(expression);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(expression, parsed);
  return parsed;
}

function read(expression: string): CronExpression {
  const plain = normalizeCron(expression);
  // With a fixed offset the library applies no zone; `occurrences` does that.
  const cron = new Cron(plain, { mode: '6-part', utcOffset: 0 });
  const pattern = new CronPattern(plain, undefined, { mode: '6-part' });
  if (cron.nextRun(new Date(START_OF_CYCLE)) === null) {
    const code: ScheduleErrorCode = 'schedule.never_fires';
    throw new OkaError(
      code,
      `No date matches "${expression}". Check that the day of the month exists in the month, as in "0 9 28 2 *".`,
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
