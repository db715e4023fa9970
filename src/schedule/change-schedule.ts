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
  if (added.graph.trim() === '')
    throw new OkaError<ScheduleErrorCode>('schedule.invalid', 'A schedule needs a graph to run.');
  const data = {
    graph: added.graph,
    ...trigger,
    misfire: added.misfire ?? 'one',
    overlap: added.overlap ?? ('cron' in trigger ? 'skip' : 'queue'),
    dst: added.dst ?? 'run_after',
    cursor: parts.clock.now(),
    by: added.by,
  } as const;
  const body = added.input === undefined ? undefined : { input: added.input };
  const event = scheduleEvent('schedule.added', data, body);
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

/** Decides on the current schedule and commits if it is unchanged; otherwise decides again. */
export function commitToSchedule<Answer>(
  parts: Pick<ScheduleParts, 'events' | 'schedules'>,
  id: string,
  actor: string,
  decide: (schedule: Schedule) => Promise<DecidedChange<Answer>> | DecidedChange<Answer>,
): Promise<Answer> {
  return commitDecided(parts.events, { stream: scheduleStream(id), actor }, async () =>
    decide(await getSchedule(parts.schedules, id)),
  );
}

/** Returns the schedule, or fails with `schedule.unknown` and suggests the nearest id. */
export async function getSchedule(schedules: ScheduleStore, id: string): Promise<Schedule> {
  const found = await schedules.get(id);
  if (found) return found;
  const ids = (await schedules.list()).map((schedule) => schedule.id);
  const nearest = nearestName(id, ids);
  const guess = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  const message = `No schedule ${id}. ${guess}See: oka graph schedule list.`;
  const data = { schedule: id, ...(nearest === undefined ? {} : { nearest }) };
  throw new OkaError<ScheduleErrorCode>('schedule.unknown', message, { data });
}

/** Enables a schedule from now on; firings missed while it was disabled are recorded as skipped. Idempotent. */
export async function enableSchedule(parts: ScheduleParts, id: string, by: string): Promise<Schedule> {
  await change(parts, id, by, (schedule) => {
    if (schedule.enabled) return [];
    const now = parts.clock.now();
    const cursor = Math.max(usableCursor(schedule.cursor, now), now);
    return [...missedWhileDisabled(schedule, cursor), scheduleEvent('schedule.enabled', { by, cursor })];
  });
  return getSchedule(parts.schedules, id);
}

/** Disables a schedule and drops its queued firing. Idempotent. */
export async function disableSchedule(parts: ScheduleParts, id: string, by: string): Promise<Schedule> {
  await change(parts, id, by, (schedule) =>
    schedule.enabled ? [...dropQueued(schedule, 'disabled'), scheduleEvent('schedule.disabled', { by })] : [],
  );
  return getSchedule(parts.schedules, id);
}

/** Deletes a schedule. Its firings and its stream stay readable, and its id is not reused. */
export function deleteSchedule(parts: ScheduleParts, id: string, by: string): Promise<void> {
  return change(parts, id, by, (schedule) => [
    ...dropQueued(schedule, 'deleted'),
    scheduleEvent('schedule.deleted', { by }),
  ]);
}

function change(
  parts: ScheduleParts,
  id: string,
  by: string,
  decide: (schedule: Schedule) => readonly EventDraft[],
): Promise<void> {
  return commitToSchedule(parts, id, by, (schedule) => ({ events: decide(schedule), answer: undefined }));
}

function dropQueued({ queued, cursor }: Schedule, why: SkipReason): EventDraft[] {
  if (queued === undefined) return [];
  const { firing, plannedAt } = queued;
  const skip = { firing, plannedAt, why, count: 1, until: plannedAt, cursor, queued: true } as const;
  return [scheduleEvent('schedule.skipped', skip)];
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
