import { commitDecided, type DecidedChange, type EventStore } from '../ledger/index.ts';
import { getSchedule } from './find-schedule.ts';
import type { ScheduleStore } from './ports.ts';
import { scheduleStream } from './schedule-events.ts';
import type { Schedule } from './types.ts';

export type ScheduleChange<Answer> = DecidedChange<Answer>;

/** Decides on the current schedule and commits if it is unchanged; otherwise decides again. */
export function commitToSchedule<Answer>(
  parts: { readonly events: EventStore; readonly schedules: ScheduleStore },
  id: string,
  actor: string,
  decide: (schedule: Schedule) => Promise<ScheduleChange<Answer>> | ScheduleChange<Answer>,
): Promise<Answer> {
  return commitDecided(parts.events, { stream: scheduleStream(id), actor }, async () =>
    decide(await getSchedule(parts.schedules, id)),
  );
}
