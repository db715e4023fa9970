import type { EpochMs, Json } from '../kernel/index.ts';
import { eventDrafts } from '../ledger/index.ts';
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
