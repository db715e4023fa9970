import type { EpochMs, Failure, Json } from '../kernel/index.ts';
import { plannedFirings } from './planned-firings.ts';
import type { ScheduleStore } from './ports.ts';
import type { Schedule, SchedulePolicies } from './types.ts';

/** A schedule as every face shows it. */
export interface ScheduleView extends SchedulePolicies {
  readonly id: string;
  readonly graph: string;
  readonly cron: string | null;
  readonly zone: string | null;
  readonly onChange: string | null;
  readonly enabled: boolean;
  /** When it fires next; empty when it is off or waits for a change. */
  readonly next: readonly EpochMs[];
  readonly input: Json;
  readonly inputErased: boolean;
  readonly queued: boolean;
  readonly lastFiredAt: EpochMs | null;
  readonly addedAt: EpochMs;
  readonly addedBy: string;
  /** Why it can no longer fire, when what is stored cannot be read on this machine. */
  readonly problem?: Failure;
}

const SHOWN_FIRINGS = 3;

/** A schedule with its next three firings. */
export function viewSchedule(schedule: Schedule, now: EpochMs): ScheduleView {
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
  return (await schedules.list()).map((schedule) => viewSchedule(schedule, now));
}
