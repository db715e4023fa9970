import { type Clock, isOkaError, type Json, OkaError } from '../kernel/index.ts';
import type { EventStore } from '../ledger/index.ts';
import { parseCron } from './cron.ts';
import { getSchedule } from './find-schedule.ts';
import type { ScheduleStore } from './ports.ts';
import { scheduleEvent, scheduleStream } from './schedule-events.ts';
import type { Schedule, ScheduleErrorCode, SchedulePolicies, ScheduleTrigger } from './types.ts';
import { normalizePath } from './watched-path.ts';
import { checkZone } from './zone-clock.ts';

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
