import type { Failure } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { TickAction } from './plan-tick.ts';
import { scheduleEvent } from './schedule-events.ts';

type Fire = Extract<TickAction, { do: 'fire' }>;

/** The event of a firing that created a run. */
export function firedEvent(action: Fire, run: string): EventDraft {
  const { firing, plannedAt, reason, cursor, queued } = action;
  // Earlier runs have ended, or overlap is allowed and they do not matter.
  const runs = [run];
  return scheduleEvent('schedule.fired', { firing, plannedAt, run, reason, cursor, runs, queued });
}

/** The event of a firing whose run failed to start. */
export function notStartedEvent(action: Fire, failure: Failure): EventDraft {
  const { firing, plannedAt, cursor, queued } = action;
  return scheduleEvent(
    'schedule.skipped',
    { firing, plannedAt, why: 'failed', count: 1, until: plannedAt, cursor, queued, code: failure.code },
    { message: failure.message },
  );
}

/** The event of a firing that starts no run; `blockedBy` is the active run. */
export function notFiredEvent(action: Exclude<TickAction, Fire>, blockedBy: string | undefined): EventDraft {
  if (action.do === 'correct_clock') {
    const { cursor, previousCursor } = action;
    return scheduleEvent('schedule.clock_corrected', { cursor, previousCursor });
  }
  if (action.do === 'queue') {
    const { firing, plannedAt, reason, cursor } = action;
    return scheduleEvent('schedule.queued', { firing, plannedAt, reason, cursor, blockedBy });
  }
  const { do: _, ...data } = action;
  const blocked = action.why === 'overlap' ? { blockedBy } : {};
  return scheduleEvent('schedule.skipped', { ...data, ...blocked });
}
