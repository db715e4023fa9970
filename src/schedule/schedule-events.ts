import type { EpochMs, Failure, Json } from '../kernel/index.ts';
import { type EventDraft, eventDrafts } from '../ledger/index.ts';
import type { TickAction } from './plan-tick.ts';
import type { DstPolicy, FiringReason, MisfirePolicy, OverlapPolicy, SkipReason } from './types.ts';

/**
 * The data of each schedule event. An event contains the resulting state (`cursor`, `runs`), so that folding needs nothing else.
 * Undefined members are omitted.
 */
export interface ScheduleEventData {
  'schedule.added': {
    graph: string;
    cron?: string | undefined;
    zone?: string | undefined;
    onChange?: string | undefined;
    misfire: MisfirePolicy;
    overlap: OverlapPolicy;
    dst: DstPolicy;
    cursor: EpochMs;
    by: string;
  };
  'schedule.enabled': { by: string; cursor: EpochMs };
  'schedule.disabled': { by: string };
  'schedule.deleted': { by: string };
  'schedule.fired': {
    firing: string;
    plannedAt: EpochMs;
    run: string;
    reason: FiringReason;
    cursor: EpochMs;
    runs: readonly string[];
    queued?: true | undefined;
    by?: string | undefined;
  };
  'schedule.skipped': {
    firing: string;
    plannedAt: EpochMs;
    why: SkipReason;
    count: number;
    more?: true | undefined;
    until: EpochMs;
    cursor: EpochMs;
    queued?: true | undefined;
    blockedBy?: string | undefined;
    code?: string | undefined;
  };
  /** The cursor was in the future because the clock had been ahead; the schedule continues from `cursor`. */
  'schedule.clock_corrected': { cursor: EpochMs; previousCursor: EpochMs };
  'schedule.queued': {
    firing: string;
    plannedAt: EpochMs;
    reason: FiringReason;
    cursor: EpochMs;
    blockedBy?: string | undefined;
  };
}

/** Event content that a person can erase. */
export interface ScheduleEventBodies {
  'schedule.added': { input: Json } | undefined;
  'schedule.skipped': { message: string } | undefined;
}

export type ScheduleEventType = keyof ScheduleEventData;

/** Creates a schedule event that is type-checked against the tables above. */
export const scheduleEvent = eventDrafts<ScheduleEventData, ScheduleEventBodies>();

const PREFIX = 'schedule/';

export function scheduleStream(schedule: string): string {
  return PREFIX + schedule;
}

/** The schedule of a stream. */
export function scheduleOfStream(stream: string): string | undefined {
  return stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
}

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
