import { canonicalJson } from '../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../ledger/index.ts';
import { type ScheduleEventBodies, type ScheduleEventData, scheduleOfStream } from './schedule-events.ts';

const SCHEDULES: TableSpec = {
  name: 'schedules',
  columns: {
    id: 'text',
    graph: 'text',
    cron: 'text',
    zone: 'text',
    on_change: 'text',
    misfire: 'text',
    overlap: 'text',
    dst: 'text',
    input: 'json',
    input_erased: 'integer',
    enabled: 'integer',
    cursor_at: 'integer',
    queued: 'json',
    runs: 'json',
    last_fired_at: 'integer',
    added_at: 'integer',
    added_by: 'text',
    idx: 'integer',
  },
  key: ['id'],
};

const FIRINGS: TableSpec = {
  name: 'schedule_firings',
  columns: {
    id: 'text',
    schedule: 'text',
    idx: 'integer',
    status: 'text',
    why: 'text',
    planned_at: 'integer',
    decided_at: 'integer',
    run: 'text',
    count: 'integer',
    more: 'integer',
    until_at: 'integer',
    failure_code: 'text',
    failure_message: 'text',
  },
  key: ['id'],
  indexes: [['schedule', 'idx'], ['run']],
};

/** Tables of schedules and of the decisions about their firings. */
export const scheduleProjection: Projection = {
  name: 'schedules',
  tables: [SCHEDULES, FIRINGS],
  types: new Set([
    'schedule.added',
    'schedule.enabled',
    'schedule.disabled',
    'schedule.deleted',
    'schedule.fired',
    'schedule.skipped',
    'schedule.queued',
    'schedule.clock_corrected',
    'body.erased',
    'stream.archived',
  ]),
  apply(event) {
    if (event.type === 'body.erased') return erased(event);
    if (event.type === 'stream.archived') return archived(event.data['stream'] as string);
    const schedule = scheduleOfStream(event.stream);
    return schedule === undefined ? [] : changesOf(schedule, event);
  },
};

function changesOf(schedule: string, event: LedgerEvent): readonly RowChange[] {
  const patch = (values: Row): RowChange => ({
    table: 'schedules',
    patch: { ...values, idx: event.index },
    where: { id: schedule },
  });
  switch (event.type) {
    case 'schedule.added':
      return [added(schedule, event)];
    case 'schedule.enabled':
      return [patch({ enabled: 1, cursor_at: event.data['cursor'] })];
    case 'schedule.clock_corrected':
      return [patch({ cursor_at: event.data['cursor'] })];
    case 'schedule.disabled':
      return [patch({ enabled: 0 })];
    case 'schedule.deleted':
      return [{ table: 'schedules', delete: { id: schedule } }];
    case 'schedule.fired': {
      const data = event.data as unknown as ScheduleEventData['schedule.fired'];
      const values = { cursor_at: data.cursor, runs: canonicalJson(data.runs), last_fired_at: event.at };
      const record = { status: 'fired', why: data.reason, run: data.run };
      return [patch({ ...values, ...unqueued(data) }), decided(schedule, event, record)];
    }
    case 'schedule.skipped': {
      const data = event.data as unknown as ScheduleEventData['schedule.skipped'];
      return [patch({ cursor_at: data.cursor, ...unqueued(data) }), skipped(schedule, event, data)];
    }
    case 'schedule.queued': {
      const { firing, plannedAt, reason, cursor } =
        event.data as unknown as ScheduleEventData['schedule.queued'];
      const queued = canonicalJson({ firing, plannedAt, reason });
      const record = { status: 'queued', why: reason };
      return [patch({ cursor_at: cursor, queued }), decided(schedule, event, record)];
    }
    default:
      return [];
  }
}

function unqueued(data: { readonly queued?: true | undefined }): Row {
  return data.queued ? { queued: null } : {};
}

function added(schedule: string, event: LedgerEvent): RowChange {
  const data = event.data as unknown as ScheduleEventData['schedule.added'];
  const body = event.body as ScheduleEventBodies['schedule.added'] | undefined;
  const row: Row = {
    id: schedule,
    graph: data.graph,
    cron: data.cron ?? null,
    zone: data.zone ?? null,
    on_change: data.onChange ?? null,
    misfire: data.misfire,
    overlap: data.overlap,
    dst: data.dst,
    input: body === undefined ? null : canonicalJson(body.input),
    input_erased: event.bodyErased ? 1 : 0,
    enabled: 1,
    cursor_at: data.cursor,
    queued: null,
    runs: '[]',
    last_fired_at: null,
    added_at: event.at,
    added_by: data.by,
    idx: event.index,
  };
  return { table: 'schedules', put: row };
}

/** A firing's row. A later decision about a queued firing replaces it. */
function decided(schedule: string, event: LedgerEvent, values: Row): RowChange {
  const { firing, plannedAt } = event.data as { firing?: string; plannedAt?: number };
  const row: Row = {
    id: firing,
    schedule,
    idx: event.index,
    planned_at: plannedAt,
    decided_at: event.at,
    run: null,
    count: 1,
    more: 0,
    until_at: plannedAt,
    failure_code: null,
    failure_message: null,
    ...values,
  };
  return { table: 'schedule_firings', put: row };
}

function skipped(
  schedule: string,
  event: LedgerEvent,
  data: ScheduleEventData['schedule.skipped'],
): RowChange {
  const body = event.body as ScheduleEventBodies['schedule.skipped'] | undefined;
  return decided(schedule, event, {
    status: 'skipped',
    why: data.why,
    count: data.count,
    more: data.more ? 1 : 0,
    until_at: data.until,
    failure_code: data.code ?? null,
    failure_message: body?.message ?? null,
  });
}

/** Clears values copied from erased bodies: the input is in event 0, failure messages are in later ones. */
function erased(event: LedgerEvent): RowChange[] {
  const changes: RowChange[] = [];
  for (const { stream, index } of namedAddresses(event.data)) {
    const schedule = scheduleOfStream(stream);
    if (schedule === undefined) continue;
    if (index === 0) {
      changes.push({ table: 'schedules', patch: { input: null, input_erased: 1 }, where: { id: schedule } });
    }
    changes.push({
      table: 'schedule_firings',
      patch: { failure_message: null },
      where: { schedule, idx: index },
    });
  }
  return changes;
}

function archived(stream: string): RowChange[] {
  const schedule = scheduleOfStream(stream);
  if (schedule === undefined) return [];
  return [
    { table: 'schedules', delete: { id: schedule } },
    { table: 'schedule_firings', delete: { schedule } },
  ];
}
