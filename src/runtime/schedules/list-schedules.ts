import type { SqlScheduleStore } from '../../adapters/sql/index.ts';
import type { ScheduleItem } from '../../api/index.ts';
import { type Schedule, viewSchedule } from '../../schedule/index.ts';

/** The schedules of a ledger. Needs nothing of what runs them, so `oka status` starts quickly. */
export async function listSchedules(store: SqlScheduleStore, now: number): Promise<readonly ScheduleItem[]> {
  return Promise.all((await store.list()).map((schedule) => viewScheduleItem(schedule, store, now)));
}

export async function viewScheduleItem(
  schedule: Schedule,
  store: SqlScheduleStore,
  now: number,
): Promise<ScheduleItem> {
  const skipped = await store.lastSkipped(schedule.id);
  const { cron, zone, onChange, lastFiredAt, ...view } = viewSchedule(schedule, now, skipped);
  const lastRun = schedule.runs.at(-1);
  return {
    ...view,
    ...(cron === null ? {} : { cron }),
    ...(zone === null ? {} : { zone }),
    ...(onChange === null ? {} : { onChange }),
    ...(lastFiredAt === null ? {} : { lastFiredAt }),
    ...(lastRun === undefined ? {} : { lastRun }),
  };
}
