import { type EpochMs, type Failure, isOkaError, toFailure } from '../kernel/index.ts';
import { nextFirings } from './occurrences.ts';
import type { Schedule } from './types.ts';
import { usableCursor } from './usable-cursor.ts';

/**
 * When a schedule fires next: never while it is off or waits for a change. What is stored may have become unreadable (a
 * zone that this machine does not know): that is told, not thrown, so that the other schedules can be shown and run.
 */
export function plannedFirings(
  schedule: Schedule,
  now: EpochMs,
  count: number,
): { readonly next: readonly EpochMs[]; readonly problem?: Failure } {
  const { enabled, trigger, cursor, policies } = schedule;
  if (!enabled || !('cron' in trigger)) return { next: [] };
  try {
    // What lies before the cursor is decided, also when the clock was put back a little.
    const after = Math.max(now, usableCursor(cursor, now));
    return { next: nextFirings(trigger.cron, trigger.zone, after, count, policies.dst) };
  } catch (error) {
    if (!isOkaError(error)) throw error;
    return { next: [], problem: toFailure(error, error.code) };
  }
}
