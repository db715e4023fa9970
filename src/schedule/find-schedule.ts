import { nearestName, OkaError } from '../kernel/index.ts';
import type { ScheduleStore } from './ports.ts';
import type { Schedule, ScheduleErrorCode } from './types.ts';

/** Returns the schedule, or fails with `schedule.unknown` and suggests the nearest id. */
export async function getSchedule(schedules: ScheduleStore, id: string): Promise<Schedule> {
  const found = await schedules.get(id);
  if (found) return found;
  const nearest = nearestName(
    id,
    (await schedules.list()).map((schedule) => schedule.id),
  );
  const advice =
    nearest === undefined
      ? 'See: oka graph schedule list'
      : `Did you mean ${nearest}? See: oka graph schedule list`;
  const code: ScheduleErrorCode = 'schedule.unknown';
  throw new OkaError(code, `No schedule ${id}. ${advice}.`, {
    data: { schedule: id, ...(nearest === undefined ? {} : { nearest }) },
  });
}
