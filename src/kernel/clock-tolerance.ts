import type { EpochMs } from './ports.ts';

/** How far a recorded time may be ahead of the clock. Regular clock corrections are smaller than this. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** Whether the clock was wrong when this time was recorded, or is wrong now. Waiting for such a time could take years. */
export function isAheadOfClock(recordedAt: EpochMs, now: EpochMs): boolean {
  return recordedAt - now > CLOCK_TOLERANCE_MS;
}
