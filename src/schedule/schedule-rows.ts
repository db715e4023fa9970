import type { Json } from '../kernel/index.ts';
import type { Row } from '../ledger/index.ts';
import type { Firing, QueuedFiring, Schedule, SchedulePolicies, ScheduleTrigger } from './types.ts';

/** Maps a row of `schedules`. */
export function toSchedule(row: Row): Schedule {
  const input = parsed<Json>(row['input']);
  const queued = parsed<QueuedFiring>(row['queued']);
  return {
    id: row['id'] as string,
    graph: row['graph'] as string,
    trigger: triggerOf(row),
    policies: { misfire: row['misfire'], overlap: row['overlap'], dst: row['dst'] } as SchedulePolicies,
    ...(input === undefined ? {} : { input }),
    inputErased: row['input_erased'] === 1,
    enabled: row['enabled'] === 1,
    cursor: row['cursor_at'] as number,
    ...(queued === undefined ? {} : { queued }),
    runs: parsed<readonly string[]>(row['runs']) ?? [],
    ...(typeof row['last_fired_at'] === 'number' ? { lastFiredAt: row['last_fired_at'] } : {}),
    addedAt: row['added_at'] as number,
    addedBy: row['added_by'] as string,
    index: row['idx'] as number,
  };
}

function triggerOf(row: Row): ScheduleTrigger {
  if (typeof row['on_change'] === 'string') return { onChange: row['on_change'] };
  return { cron: row['cron'] as string, zone: row['zone'] as string };
}

function parsed<Value>(text: Row[string]): Value | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Value) : undefined;
}

/** Maps a row of `schedule_firings`. */
export function toFiring(row: Row): Firing {
  return {
    id: row['id'] as string,
    schedule: row['schedule'] as string,
    status: row['status'] as Firing['status'],
    why: row['why'] as Firing['why'],
    plannedAt: row['planned_at'] as number,
    decidedAt: row['decided_at'] as number,
    ...(typeof row['run'] === 'string' ? { run: row['run'] } : {}),
    count: row['count'] as number,
    more: row['more'] === 1,
    until: row['until_at'] as number,
    ...(typeof row['failure_code'] === 'string' ? { failureCode: row['failure_code'] } : {}),
    ...(typeof row['failure_message'] === 'string' ? { failureMessage: row['failure_message'] } : {}),
  };
}
