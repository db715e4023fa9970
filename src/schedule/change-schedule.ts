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

/** Enables a schedule from now on; firings missed while it was disabled are recorded as skipped. Idempotent. */
export async function enableSchedule(parts: ScheduleParts, id: string, by: string): Promise<Schedule> {
  await commitToSchedule(parts, id, by, (schedule) => {
    if (schedule.enabled) return { events: [], answer: undefined };
    const now = parts.clock.now();
    const cursor = Math.max(usableCursor(schedule.cursor, now), now);
    const events = [
      ...missedWhileDisabled(schedule, cursor),
      scheduleEvent('schedule.enabled', { by, cursor }),
    ];
    return { events, answer: undefined };
  });
  return getSchedule(parts.schedules, id);
}

/** Disables a schedule and drops its queued firing. Idempotent. */
export async function disableSchedule(parts: ScheduleParts, id: string, by: string): Promise<Schedule> {
  await commitToSchedule(parts, id, by, (schedule) => {
    if (!schedule.enabled) return { events: [], answer: undefined };
    const events = [...dropQueued(schedule, 'disabled'), scheduleEvent('schedule.disabled', { by })];
    return { events, answer: undefined };
  });
  return getSchedule(parts.schedules, id);
}

/** Deletes a schedule. Its firings and its stream stay readable, and its id is not reused. */
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

function missedWhileDisabled(schedule: Schedule, until: EpochMs): EventDraft[] {
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
