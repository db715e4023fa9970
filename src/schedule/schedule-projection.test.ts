import { describe, expect, it } from 'vitest';
import { bodyErased, LedgerEvent, MemoryTables, SYSTEM_STREAM, streamArchived } from '../ledger/index.ts';
import { addSchedule, deleteSchedule, disableSchedule, enableSchedule } from './change-schedule.ts';
import { scheduleKit } from './schedule-kit.conformance.ts';
import { scheduleProjection } from './schedule-projection.ts';

const hourly = {
  graph: 'report',
  trigger: { cron: '0 * * * *', zone: 'UTC' },
  input: { secret: 'x' },
  by: 'me',
};

/** Rebuilds the tables from the ledger; `erased` events have no body. */
async function rebuilt(kit: ReturnType<typeof scheduleKit>, erased: ReadonlySet<string> = new Set()) {
  const tables = new MemoryTables([scheduleProjection]);
  for (const event of await kit.events.readAfter(0, 10_000)) {
    const gone = erased.has(`${event.stream} ${event.index}`);
    tables.apply(gone ? new LedgerEvent({ ...event, bodyText: null, salt: null }) : event);
  }
  return rowsOf(tables);
}

function rowsOf(tables: MemoryTables) {
  return { schedules: tables.rows('schedules'), firings: tables.rows('schedule_firings') };
}

async function fillHistory(kit: ReturnType<typeof scheduleKit>): Promise<void> {
  await addSchedule(kit.parts, { ...hourly, overlap: 'queue' });
  await addSchedule(kit.parts, hourly);
  await kit.tickAt('2026-01-01T01:00:00Z');
  await kit.tickAt('2026-01-01T02:00:00Z');
  kit.runs.failure = new Error('no such graph');
  kit.runs.ended.add('run-1').add('run-2');
  await kit.tickAt('2026-01-01T09:00:00Z');
  await disableSchedule(kit.parts, 'report-1', 'me');
  await kit.tickAt('2026-01-01T12:00:00Z');
  await enableSchedule(kit.parts, 'report-1', 'me');
}

describe('scheduleProjection', () => {
  it('rebuilds the same tables', async () => {
    const kit = scheduleKit('2026-01-01T00:30:00Z');
    await fillHistory(kit);
    await addSchedule(kit.parts, { ...hourly, graph: 'gone' });
    await deleteSchedule(kit.parts, 'gone-1', 'me');
    const live = rowsOf(kit.events.tables);
    expect(live.schedules).toHaveLength(2);
    expect(live.firings.length).toBeGreaterThan(5);
    expect(await rebuilt(kit)).toEqual(live);
  });

  it('loses erased input and failure messages, live and rebuilt, and then starts nothing', async () => {
    const kit = scheduleKit('2026-01-01T00:30:00Z');
    await fillHistory(kit);
    const bodies = (await kit.events.readAfter(0, 10_000)).filter((event) => event.bodyText !== null);
    expect(bodies.length).toBeGreaterThanOrEqual(4);
    const append = { stream: SYSTEM_STREAM, events: [bodyErased(bodies, 'asked for')] };
    await kit.events.commit({ actor: 'me', sync: 'full', appends: [append] });
    const live = rowsOf(kit.events.tables);
    expect(live.schedules).toMatchObject([
      { input: null, input_erased: 1 },
      { input: null, input_erased: 1 },
    ]);
    expect(live.firings.every((row) => row['failure_message'] === null)).toBe(true);
    expect(await rebuilt(kit, new Set(bodies.map(({ stream, index }) => `${stream} ${index}`)))).toEqual(
      live,
    );

    kit.runs.failure = undefined;
    expect((await kit.tickAt('2026-01-01T13:00:00Z')).fired).toEqual([]);
    expect((await kit.schedules.firings('report-1', 1))[0]).toMatchObject({ why: 'input_erased' });
    await expect(kit.scheduler.trigger('report-1', 'me')).rejects.toMatchObject({ code: 'schedule.invalid' });
  });

  it('drops archived schedules', async () => {
    const kit = scheduleKit('2026-01-01T00:30:00Z');
    await fillHistory(kit);
    const { index: lastIndex, chain } = await kit.events.end('schedule/report-1');
    const archived = streamArchived({ stream: 'schedule/report-1', lastIndex, chain, reason: 'old' });
    const append = { stream: SYSTEM_STREAM, events: [archived] };
    await kit.events.commit({ actor: 'me', sync: 'full', appends: [append] });
    expect((await kit.schedules.list()).map(({ id }) => id)).toEqual(['report-2']);
    expect(await kit.schedules.firings('report-1', 5)).toEqual([]);
  });
});
