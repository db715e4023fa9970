import type { EpochMs } from '../kernel/index.ts';
import { plannedFirings } from './planned-firings.ts';
import type { Schedule } from './types.ts';

/** The first planned time after `now` of enabled schedules. Skips unreadable schedules, which the tick reports. */
export function nextWake(schedules: readonly Schedule[], now: EpochMs): EpochMs | undefined {
  let first: EpochMs | undefined;
  for (const schedule of schedules) {
    const [next] = plannedFirings(schedule, now, 1).next;
    if (next !== undefined && (first === undefined || next < first)) first = next;
  }
  return first;
}
