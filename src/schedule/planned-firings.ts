import { type EpochMs, type Failure, isAheadOfClock, isOkaError, toFailure } from '../kernel/index.ts';
import { nextFirings } from './occurrences.ts';
import type { Schedule } from './types.ts';

/**
 * The next firings of a schedule; none while it is disabled or triggered by changes. An unreadable schedule, such as one with a
 * zone unknown to this machine, is returned as a problem, so that the others still work.
 */
export function plannedFirings(
  schedule: Schedule,
  now: EpochMs,
  count: number,
): { readonly next: readonly EpochMs[]; readonly problem?: Failure } {
  const { enabled, trigger, cursor, policies } = schedule;
  if (!enabled || !('cron' in trigger)) return { next: [] };
  try {
    // Times before the cursor are decided, even if the clock was set back a little.
    const after = Math.max(now, usableCursor(cursor, now));
    return { next: nextFirings(trigger.cron, trigger.zone, after, count, policies.dst) };
  } catch (error) {
    if (!isOkaError(error)) throw error;
    return { next: [], problem: toFailure(error, error.code) };
  }
}

/** Where a schedule continues. A cursor ahead of a wrong clock would block the schedule, so it continues from now. */
export function usableCursor(cursor: EpochMs, now: EpochMs): EpochMs {
  return isAheadOfClock(cursor, now) ? now : cursor;
}

/** The first planned time after `now` of enabled schedules. Skips unreadable schedules, which the tick reports. */
export function nextWake(schedules: readonly Schedule[], now: EpochMs): EpochMs | undefined {
  const next = schedules.flatMap((schedule) => plannedFirings(schedule, now, 1).next);
  return next.length === 0 ? undefined : Math.min(...next);
}
