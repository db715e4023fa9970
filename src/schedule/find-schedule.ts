import { nearestName, OkaError } from '../kernel/index.ts';
import type { ScheduleStore } from './ports.ts';
import type { Schedule, ScheduleErrorCode } from './types.ts';

/** The schedule of that id. Rejects with `schedule.unknown`, naming the nearest. */
export async function getSchedule(schedules: ScheduleStore, id: string): Promise<Schedule> {
  const found = await schedules.get(id);
  if (found) return found;
  const nearest = nearestName(
    id,
    (await schedules.list()).map((schedule) => schedule.id),
  );
  const advice =
    nearest === undefined
      ? 'see: oka graph schedule list'
      : `did you mean ${nearest}? See: oka graph schedule list`;
  const code: ScheduleErrorCode = 'schedule.unknown';
  throw new OkaError(code, `there is no schedule ${id}; ${advice}.`, {
    data: { schedule: id, ...(nearest === undefined ? {} : { nearest }) },
  });
}
