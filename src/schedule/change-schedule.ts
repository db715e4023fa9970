import { type Clock, type EpochMs, isOkaError, type Json, nearestName, OkaError } from '../kernel/index.ts';
import { commitDecided, type DecidedChange, type EventDraft, type EventStore } from '../ledger/index.ts';
import { parseCron } from './cron.ts';
import { dueOccurrences } from './occurrences.ts';
import { firingId } from './plan-tick.ts';
import { usableCursor } from './planned-firings.ts';
import type { ScheduleStore } from './ports.ts';
import { scheduleEvent, scheduleStream } from './schedule-events.ts';
import type { Schedule, ScheduleErrorCode, SchedulePolicies, ScheduleTrigger, SkipReason } from './types.ts';
import { checkZone } from './zone-clock.ts';

/** Normalizes a workspace path: forward slashes, none at the ends; empty for the workspace itself. */
function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

/** Whether `path` is `subtree` or below it. */
export function isWithin(path: string, subtree: string): boolean {
  const inner = normalizePath(path);
  const outer = normalizePath(subtree);
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}

/** A schedule to add; omitted policies get their defaults. */
export interface NewSchedule extends Partial<SchedulePolicies> {
  readonly graph: string;
  readonly trigger: ScheduleTrigger;
  readonly input?: Json;
  readonly by: string;
}

export interface ScheduleParts {
  readonly events: EventStore;
  readonly schedules: ScheduleStore;
  readonly clock: Clock;
}

const MAX_SLUG_LENGTH = 40;

/**
 * Adds a schedule that starts now. By default, missed firings run once; a firing is skipped while the previous run is active
 * (a change trigger queues it, so that no change is lost); times inside a DST gap run after the gap.
 */
export async function addSchedule(parts: ScheduleParts, added: NewSchedule): Promise<Schedule> {
  const trigger = checkTrigger(added.trigger);
  if (added.graph.trim() === '') {
    const code: ScheduleErrorCode = 'schedule.invalid';
    throw new OkaError(code, 'A schedule needs a graph to run.');
  }
  const data = {
    graph: added.graph,
    ...trigger,
    misfire: added.misfire ?? 'one',
    overlap: added.overlap ?? ('cron' in trigger ? 'skip' : 'queue'),
    dst: added.dst ?? 'run_after',
    cursor: parts.clock.now(),
    by: added.by,
  } as const;
  const event = scheduleEvent(
    'schedule.added',
    data,
    added.input === undefined ? undefined : { input: added.input },
  );
  const slug = slugOf(added.graph);
  for (let number = 1; ; number++) {
    const id = `${slug}-${number}`;
    const stream = scheduleStream(id);
    // A deleted schedule keeps its stream, so its id is never reused.
    if ((await parts.events.end(stream)).index >= 0) continue;
    try {
      const append = { stream, expectedIndex: 0, events: [event] };
      await parts.events.commit({ actor: added.by, sync: 'full', appends: [append] });
      return await getSchedule(parts.schedules, id);
    } catch (error) {
      if (!isOkaError(error, 'ledger.conflict')) throw error;
    }
  }
}

function checkTrigger(trigger: ScheduleTrigger): ScheduleTrigger {
  if ('onChange' in trigger) return { onChange: normalizePath(trigger.onChange) };
  parseCron(trigger.cron);
  return { cron: trigger.cron.trim(), zone: checkZone(trigger.zone) };
}

/** Shortens a graph's id to a name that is easy to type. */
function slugOf(graph: string): string {
  const name = graph.slice(graph.lastIndexOf('/') + 1).replace(/\.json$/i, '');
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'schedule' : slug;
}

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
