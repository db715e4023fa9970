import { describe, expect, it } from 'vitest';
import { addSchedule, deleteSchedule, disableSchedule, enableSchedule } from './change-schedule.ts';
import { scheduleKit } from './schedule-kit.conformance.ts';
import { listSchedules } from './view-schedule.ts';

const daily = { graph: 'report', trigger: { cron: '0 9 * * *', zone: 'europe/berlin' }, by: 'me' };

describe('addSchedule', () => {
  it('assigns readable ids and never reuses them', async () => {
    const { parts } = scheduleKit('2026-01-01T00:00:00Z');
    const graph = 'graphs/Täglicher  Bericht.json';
    expect((await addSchedule(parts, { ...daily, graph })).id).toBe('taglicher-bericht-1');
    expect((await addSchedule(parts, { ...daily, graph })).id).toBe('taglicher-bericht-2');
    await deleteSchedule(parts, 'taglicher-bericht-1', 'me');
    expect((await addSchedule(parts, { ...daily, graph })).id).toBe('taglicher-bericht-3');
    expect((await addSchedule(parts, { ...daily, graph: '日報' })).id).toBe('schedule-1');
  });

  it('assigns different ids to schedules that are added concurrently', async () => {
    const { parts } = scheduleKit('2026-01-01T00:00:00Z');
    const added = await Promise.all(Array.from({ length: 8 }, () => addSchedule(parts, daily)));
    expect(new Set(added.map(({ id }) => id)).size).toBe(8);
  });

  it('applies default policies', async () => {
    const { parts } = scheduleKit('2026-01-01T00:00:00Z');
    const timed = await addSchedule(parts, daily);
    expect(timed.policies).toEqual({ misfire: 'one', overlap: 'skip', dst: 'run_after' });
    expect(timed.trigger).toEqual({ cron: '0 9 * * *', zone: 'Europe/Berlin' });
    const watching = await addSchedule(parts, { ...daily, trigger: { onChange: './docs/' } });
    expect(watching.policies.overlap).toBe('queue');
    expect(watching.trigger).toEqual({ onChange: 'docs' });
  });

  it.each([
    [{ trigger: { cron: '0 25 * * *', zone: 'UTC' } }, 'schedule.invalid_cron'],
    [{ trigger: { cron: '0 0 30 2 *', zone: 'UTC' } }, 'schedule.never_fires'],
    [{ trigger: { cron: '0 9 * * *', zone: 'Mars/Base' } }, 'schedule.unknown_zone'],
    [{ graph: ' ' }, 'schedule.invalid'],
  ])('rejects %j and adds nothing', async (wrong, code) => {
    const { parts, schedules } = scheduleKit('2026-01-01T00:00:00Z');
    await expect(addSchedule(parts, { ...daily, ...wrong })).rejects.toMatchObject({ code });
    expect(await schedules.list()).toEqual([]);
  });
});

describe('a disabled schedule', () => {
  it('records missed firings as skipped when enabled, and continues from now', async () => {
    const { parts, schedules, clock, tickAt } = scheduleKit('2026-01-01T00:00:00Z');
    await addSchedule(parts, daily);
    await disableSchedule(parts, 'report-1', 'me');
    expect((await tickAt('2026-01-04T12:00:00Z')).fired).toEqual([]);
    await enableSchedule(parts, 'report-1', 'me');
    expect(await schedules.firings('report-1', 5)).toMatchObject([
      {
        id: 'report-1@2026-01-01T08:00:00.000Z',
        status: 'skipped',
        why: 'disabled',
        count: 4,
        until: Date.parse('2026-01-04T08:00:00Z'),
      },
    ]);
    expect((await schedules.get('report-1'))?.cursor).toBe(clock.now());
    expect((await tickAt('2026-01-05T08:00:00Z')).fired).toHaveLength(1);
  });

  it('drops its queued firing and records it as skipped', async () => {
    const { parts, schedules, tickAt } = scheduleKit('2026-01-01T00:00:00Z');
    await addSchedule(parts, { ...daily, overlap: 'queue' });
    await tickAt('2026-01-01T08:00:00Z');
    await tickAt('2026-01-02T08:00:00Z');
    expect((await schedules.get('report-1'))?.queued).toBeDefined();
    await disableSchedule(parts, 'report-1', 'me');
    expect((await schedules.get('report-1'))?.queued).toBeUndefined();
    expect(await schedules.firing('report-1@2026-01-02T08:00:00.000Z')).toMatchObject({
      status: 'skipped',
      why: 'disabled',
    });
  });

  it('records no event if it is already in that state', async () => {
    const { parts, eventsOf } = scheduleKit('2026-01-01T00:00:00Z');
    await addSchedule(parts, daily);
    await enableSchedule(parts, 'report-1', 'me');
    await disableSchedule(parts, 'report-1', 'me');
    await disableSchedule(parts, 'report-1', 'me');
    expect((await eventsOf('report-1')).map(({ type }) => type)).toEqual([
      'schedule.added',
      'schedule.disabled',
    ]);
  });
});

describe('deleteSchedule', () => {
  it('removes the schedule and keeps its history', async () => {
    const { parts, schedules, tickAt } = scheduleKit('2026-01-01T00:00:00Z');
    await addSchedule(parts, daily);
    await tickAt('2026-01-01T08:00:00Z');
    await deleteSchedule(parts, 'report-1', 'me');
    expect(await schedules.get('report-1')).toBeUndefined();
    expect(await schedules.firings('report-1', 5)).toHaveLength(1);
    expect((await tickAt('2026-01-02T08:00:00Z')).fired).toEqual([]);
    await expect(deleteSchedule(parts, 'report-1', 'me')).rejects.toMatchObject({ code: 'schedule.unknown' });
  });
});

describe('listSchedules', () => {
  it('shows the next three firings of enabled schedules', async () => {
    const { parts, schedules, clock } = scheduleKit('2026-03-28T00:00:00Z');
    await addSchedule(parts, { ...daily, trigger: { cron: '30 2 * * *', zone: 'Europe/Berlin' }, input: 7 });
    await addSchedule(parts, { ...daily, graph: 'watch', trigger: { onChange: 'docs' } });
    await disableSchedule(parts, (await addSchedule(parts, { ...daily, graph: 'off' })).id, 'me');
    const next = ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'].map(Date.parse);
    expect(await listSchedules(schedules, clock.now())).toMatchObject([
      { id: 'off-1', enabled: false, next: [] },
      {
        id: 'report-1',
        graph: 'report',
        cron: '30 2 * * *',
        zone: 'Europe/Berlin',
        onChange: null,
        enabled: true,
        next,
        misfire: 'one',
        overlap: 'skip',
        dst: 'run_after',
        input: 7,
        lastFiredAt: null,
      },
      { id: 'watch-1', cron: null, zone: null, onChange: 'docs', next: [] },
    ]);
  });
});
