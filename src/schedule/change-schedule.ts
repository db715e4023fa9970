import type { EpochMs } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { ScheduleParts } from './add-schedule.ts';
import { commitToSchedule } from './commit-to-schedule.ts';
import { getSchedule } from './find-schedule.ts';
import { dueOccurrences } from './occurrences.ts';
import { firingId } from './plan-tick.ts';
import { scheduleEvent } from './schedule-events.ts';
import type { Schedule, SkipReason } from './types.ts';
import { usableCursor } from './usable-cursor.ts';

/** Lets a schedule fire again, from now on; what came due while it was off is recorded as skipped. Idempotent. */
export async function enableSchedule(parts: ScheduleParts, id: string, by: string): Promise<Schedule> {
  await commitToSchedule(parts, id, by, (schedule) => {
    if (schedule.enabled) return { events: [], answer: undefined };
    const now = parts.clock.now();
    const cursor = Math.max(usableCursor(schedule.cursor, now), now);
    const events = [...passedWhileOff(schedule, cursor), scheduleEvent('schedule.enabled', { by, cursor })];
    return { events, answer: undefined };
  });
  return getSchedule(parts.schedules, id);
}

/** Keeps a schedule from firing; what it had queued is dropped. Idempotent. */
export async function disableSchedule(parts: ScheduleParts, id: string, by: string): Promise<Schedule> {
  await commitToSchedule(parts, id, by, (schedule) => {
    if (!schedule.enabled) return { events: [], answer: undefined };
    const events = [...dropQueued(schedule, 'disabled'), scheduleEvent('schedule.disabled', { by })];
    return { events, answer: undefined };
  });
  return getSchedule(parts.schedules, id);
}

/** Takes a schedule away; its firings and its stream stay readable and its id is not given again. */
export async function deleteSchedule(parts: ScheduleParts, id: string, by: string): Promise<void> {
  await commitToSchedule(parts, id, by, (schedule) => ({
    events: [...dropQueued(schedule, 'deleted'), scheduleEvent('schedule.deleted', { by })],
    answer: undefined,
  }));
}

function dropQueued(schedule: Schedule, why: SkipReason): EventDraft[] {
  if (schedule.queued === undefined) return [];
  const { firing, plannedAt } = schedule.queued;
  const { cursor } = schedule;
  return [
    scheduleEvent('schedule.skipped', {
      firing,
      plannedAt,
      why,
      count: 1,
      until: plannedAt,
      cursor,
      queued: true,
    }),
  ];
}

function passedWhileOff(schedule: Schedule, until: EpochMs): EventDraft[] {
  if (!('cron' in schedule.trigger)) return [];
  const { earlier, latest } = dueOccurrences(schedule.trigger, schedule.policies.dst, schedule.cursor, until);
  const plannedAt = earlier?.first ?? latest[0]?.at;
  if (plannedAt === undefined) return [];
  return [
    scheduleEvent('schedule.skipped', {
      firing: firingId(schedule.id, plannedAt),
      plannedAt,
      why: 'disabled',
      count: (earlier?.count ?? 0) + latest.length,
      more: earlier?.more ? true : undefined,
      until: latest.at(-1)?.at ?? until,
      cursor: until,
    }),
  ];
}
