import { type EpochMs, isAheadOfClock } from '../kernel/index.ts';

/**
 * Where a schedule continues. A cursor ahead of the clock was set while the clock was wrong; waiting for it would silence
 * the schedule, so it continues from now.
 */
export function usableCursor(cursor: EpochMs, now: EpochMs): EpochMs {
  return isAheadOfClock(cursor, now) ? now : cursor;
}
