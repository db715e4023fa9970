import { type EpochMs, type Failure, isAheadOfClock, type Json } from '../kernel/index.ts';
import { plannedFirings } from './planned-firings.ts';
import type { ScheduleStore } from './ports.ts';
import type { Firing, FiringReason, Schedule, SchedulePolicies, SkipReason } from './types.ts';

/** Planned times that were skipped together. */
export interface SkippedFirings {
  /** The first and the last of them. */
  readonly plannedAt: EpochMs;
  readonly until: EpochMs;
  readonly count: number;
  /** True if counting stopped early. */
  readonly more?: true;
  readonly why: SkipReason;
  readonly decidedAt: EpochMs;
  /** Why the run failed to start, if that is the reason. */
  readonly failure?: { readonly code: string; readonly message?: string };
}

/** A schedule as CLI and API show it. */
export interface ScheduleView extends SchedulePolicies {
  readonly id: string;
  readonly graph: string;
  readonly cron: string | null;
  readonly zone: string | null;
  readonly onChange: string | null;
  readonly enabled: boolean;
  /** The next firings; empty if disabled or triggered by changes. */
  readonly next: readonly EpochMs[];
  readonly input: Json;
  readonly inputErased: boolean;
  readonly queued: boolean;
  readonly lastFiredAt: EpochMs | null;
  /** The newest skip; missing if there is none. */
  readonly lastSkipped?: SkippedFirings;
  readonly addedAt: EpochMs;
  readonly addedBy: string;
  /** Why it cannot fire, if this machine cannot read it. */
  readonly problem?: Failure;
}

const SHOWN_FIRINGS = 3;

/** A schedule with its next three firings and its last skip. */
export function viewSchedule(schedule: Schedule, now: EpochMs, lastSkipped?: Firing): ScheduleView {
  const { id, graph, trigger, policies, enabled } = schedule;
  const timed = 'cron' in trigger ? trigger : undefined;
  const { next, problem } = plannedFirings(schedule, now, SHOWN_FIRINGS);
  return {
    id,
    graph,
    cron: timed?.cron ?? null,
    zone: timed?.zone ?? null,
    onChange: 'onChange' in trigger ? trigger.onChange : null,
    enabled,
    next,
    ...policies,
    input: schedule.input ?? null,
    inputErased: schedule.inputErased,
    queued: schedule.queued !== undefined,
    lastFiredAt: schedule.lastFiredAt ?? null,
    ...(lastSkipped === undefined ? {} : { lastSkipped: viewSkipped(lastSkipped, now) }),
    addedAt: schedule.addedAt,
    addedBy: schedule.addedBy,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** All schedules with their next three firings, by id. */
export async function listSchedules(
  schedules: ScheduleStore,
  now: EpochMs,
): Promise<readonly ScheduleView[]> {
  return Promise.all(
    (await schedules.list()).map(async (schedule) =>
      viewSchedule(schedule, now, await schedules.lastSkipped(schedule.id)),
    ),
  );
}

/** A decision as CLI and API show it. */
export function viewFiring(firing: Firing, now: EpochMs) {
  const { id, status, run } = firing;
  const { why, ...times } = viewSkipped(firing, now);
  return {
    ...{ id, status },
    why: status === 'skipped' ? why : (firing.why as FiringReason),
    ...times,
    ...(run === undefined ? {} : { run }),
  };
}

function viewSkipped(skipped: Firing, now: EpochMs): SkippedFirings {
  const { plannedAt, until, count, more, why, decidedAt, failureCode, failureMessage } = skipped;
  const message = failureMessage === undefined ? {} : { message: failureMessage };
  return {
    plannedAt,
    until,
    count,
    ...(more ? { more } : {}),
    // A skip in the future was decided by a wrong clock, whichever policy it applied.
    why: isAheadOfClock(decidedAt, now) ? 'clock' : (why as SkipReason),
    decidedAt,
    ...(failureCode === undefined ? {} : { failure: { code: failureCode, ...message } }),
  };
}
