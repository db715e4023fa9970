import { type EpochMs, isAheadOfClock } from '../kernel/index.ts';

/** Where a schedule continues. A cursor ahead of a wrong clock would block the schedule, so it continues from now. */
export function usableCursor(cursor: EpochMs, now: EpochMs): EpochMs {
  return isAheadOfClock(cursor, now) ? now : cursor;
}
