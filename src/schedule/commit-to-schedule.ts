import { isOkaError } from '../kernel/index.ts';
import type { EventDraft, EventStore, StreamAppend } from '../ledger/index.ts';
import { getSchedule } from './find-schedule.ts';
import type { ScheduleStore } from './ports.ts';
import { scheduleStream } from './schedule-events.ts';
import type { Schedule } from './types.ts';

const MOST_ATTEMPTS = 10;

/** What is to be appended to a schedule's stream, together with appends to other streams. */
export interface ScheduleChange<Answer> {
  readonly events: readonly EventDraft[];
  readonly others?: readonly StreamAppend[];
  readonly answer: Answer;
}

/**
 * Decides on the schedule as it is and commits on the condition that it still is so. When another process was faster,
 * decides again on what that one left. `decide` may be called several times and must change nothing itself; no events
 * mean that there is nothing to do.
 */
export async function commitToSchedule<Answer>(
  parts: { readonly events: EventStore; readonly schedules: ScheduleStore },
  id: string,
  actor: string,
  decide: (schedule: Schedule) => Promise<ScheduleChange<Answer>> | ScheduleChange<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const schedule = await getSchedule(parts.schedules, id);
    const { events, others = [], answer } = await decide(schedule);
    if (events.length === 0) return answer;
    const own = { stream: scheduleStream(id), expectedIndex: schedule.index + 1, events };
    try {
      await parts.events.commit({ actor, sync: 'full', appends: [own, ...others] });
      return answer;
    } catch (error) {
      if (!isOkaError(error, 'ledger.conflict') || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}
