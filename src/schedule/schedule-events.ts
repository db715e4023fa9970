import type { EpochMs, Json } from '../kernel/index.ts';
import { eventDrafts } from '../ledger/index.ts';
import type { DstPolicy, FiringReason, MisfirePolicy, OverlapPolicy, SkipReason } from './types.ts';

/**
 * The data of each event of a schedule's stream. An event says what the schedule is afterwards (`cursor`, `runs`), so
 * that folding it needs nothing else. Members that are undefined are left out when an event is written.
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
  /** The cursor lay in the future, because the clock was ahead when it was set; the schedule continues from `cursor`. */
  'schedule.clock_corrected': { cursor: EpochMs; previousCursor: EpochMs };
  'schedule.queued': {
    firing: string;
    plannedAt: EpochMs;
    reason: FiringReason;
    cursor: EpochMs;
    blockedBy?: string | undefined;
  };
}

/** What a person may want erased. */
export interface ScheduleEventBodies {
  'schedule.added': { input: Json } | undefined;
  'schedule.skipped': { message: string } | undefined;
}

/** The types of the events of a schedule's stream. */
export type ScheduleEventType = keyof ScheduleEventData;

/** A draft of a schedule event, checked against the tables above. */
export const scheduleEvent = eventDrafts<ScheduleEventData, ScheduleEventBodies>();

const PREFIX = 'schedule/';

/** The stream of a schedule's events. */
export function scheduleStream(schedule: string): string {
  return PREFIX + schedule;
}

/** The schedule whose stream this is. */
export function scheduleOfStream(stream: string): string | undefined {
  return stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
}
