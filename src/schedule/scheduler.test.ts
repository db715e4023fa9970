import { describe, expect, it } from 'vitest';
import { OkaError } from '../kernel/index.ts';
import { addSchedule, deleteSchedule, disableSchedule } from './change-schedule.ts';
import { scheduleKit } from './schedule-kit.conformance.ts';
import { listSchedules } from './view-schedule.ts';

const hourly = { graph: 'report', trigger: { cron: '0 * * * *', zone: 'UTC' }, by: 'me' };
const onDocs = { graph: 'index', trigger: { onChange: 'docs/' }, by: 'me' };

describe('Scheduler.tick', () => {
  it('fires and creates the run in one commit', async () => {
    const { parts, events, eventsOf, runs, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, { ...hourly, input: { day: 1 } });
    const { fired } = await tickAt('2026-01-01T10:00:00Z');
    const firing = 'report-1@2026-01-01T10:00:00.000Z';
    const plannedAt = Date.parse('2026-01-01T10:00:00Z');
    expect(fired).toEqual([
      { firing, schedule: 'report-1', graph: 'report', run: 'run-1', plannedAt, reason: 'due' },
    ]);
    expect(runs.prepared).toEqual([
      { id: firing, schedule: 'report-1', graph: 'report', input: { day: 1 }, plannedAt, by: 'schedule' },
    ]);
    const [claim] = (await eventsOf('report-1')).slice(-1);
    const [created] = await events.read('run/run-1');
    expect(claim).toMatchObject({ type: 'schedule.fired', ends: false, data: { firing, run: 'run-1' } });
    expect(created).toMatchObject({ type: 'run.started', ends: true, seq: (claim?.seq ?? 0) + 1 });
  });

  it('fires nothing twice', async () => {
    const { parts, scheduler, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toHaveLength(1);
    expect((await scheduler.tick()).fired).toEqual([]);
  });

  it('fires nothing twice after the clock is set back', async () => {
    const { parts, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, { ...hourly, overlap: 'allow' });
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toHaveLength(1);
    expect((await tickAt('2026-01-01T09:59:00Z')).fired).toEqual([]);
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toEqual([]);
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toHaveLength(1);
  });

  it('starts no second run while the first is active, and records which one', async () => {
    const { parts, schedules, runs, eventsOf, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    await tickAt('2026-01-01T10:00:00Z');
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toEqual([]);
    expect((await eventsOf('report-1')).at(-1)).toMatchObject({
      type: 'schedule.skipped',
      data: { why: 'overlap', blockedBy: 'run-1' },
    });
    runs.ended.add('run-1');
    expect((await tickAt('2026-01-01T12:00:00Z')).fired).toMatchObject([{ run: 'run-2' }]);
    expect((await schedules.get('report-1'))?.runs).toEqual(['run-2']);
  });

  it('fires the queued firing once the previous run has ended', async () => {
    const { parts, schedules, runs, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, { ...hourly, overlap: 'queue' });
    await tickAt('2026-01-01T10:00:00Z');
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toEqual([]);
    runs.ended.add('run-1');
    const firing = 'report-1@2026-01-01T11:00:00.000Z';
    expect((await tickAt('2026-01-01T11:20:00Z')).fired).toMatchObject([{ firing, reason: 'late' }]);
    expect((await schedules.get('report-1'))?.queued).toBeUndefined();
    expect(await schedules.firing(firing)).toMatchObject({ status: 'fired', run: 'run-2' });
  });

  it('counts a manually triggered run as active', async () => {
    const { parts, scheduler, runs, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    await tickAt('2026-01-01T10:00:00Z');
    await scheduler.trigger('report-1', 'me');
    runs.ended.add('run-2');
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toEqual([]);
    runs.ended.add('run-1');
    expect((await tickAt('2026-01-01T12:00:00Z')).fired).toHaveLength(1);
  });

  it('records a run that failed to start, and continues', async () => {
    const { parts, schedules, runs, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    runs.failure = new OkaError('graph.unknown', 'there is no graph report; see the list.');
    expect(await tickAt('2026-01-01T10:00:00Z')).toEqual({ fired: [], failures: [] });
    expect(await schedules.firings('report-1', 5)).toMatchObject([
      {
        status: 'skipped',
        why: 'failed',
        failureCode: 'graph.unknown',
        failureMessage: 'there is no graph report; see the list.',
      },
    ]);
    runs.failure = undefined;
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toHaveLength(1);
  });

  it('postpones a firing after a transient failure, and fires the other schedules', async () => {
    const { parts, scheduler, runs, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    runs.failure = new OkaError('ledger.busy', 'the ledger is busy; try again.', { transient: true });
    const report = await tickAt('2026-01-01T10:00:00Z');
    expect(report.failures).toMatchObject([{ schedule: 'report-1', failure: { code: 'ledger.busy' } }]);
    runs.failure = undefined;
    expect((await scheduler.tick()).fired).toMatchObject([{ reason: 'due' }]);
  });

  it('reports an unreadable schedule and fires the others', async () => {
    const { parts, events, schedules, scheduler, clock, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    const data = {
      graph: 'old',
      cron: 'no longer cron',
      zone: 'UTC',
      misfire: 'one',
      overlap: 'skip',
      dst: 'skip',
      cursor: 0,
      by: 'me',
    };
    const append = { stream: 'schedule/old-1', events: [{ type: 'schedule.added', data }] };
    await events.commit({ actor: 'me', sync: 'normal', appends: [append] });
    const report = await tickAt('2026-01-01T10:00:00Z');
    expect(report.fired).toMatchObject([{ schedule: 'report-1' }]);
    const failure = { code: 'schedule.invalid_cron' };
    expect(report.failures).toMatchObject([{ schedule: 'old-1', failure }]);
    expect(await scheduler.nextWake(clock.now())).toBe(Date.parse('2026-01-01T11:00:00Z'));
    expect(await listSchedules(schedules, clock.now())).toMatchObject([
      { id: 'old-1', next: [], problem: failure },
      { id: 'report-1', next: { length: 3 } },
    ]);
  });
});

describe('Scheduler.trigger', () => {
  it('fires now, even if the schedule is disabled or a run is active', async () => {
    const { parts, schedules, scheduler } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    await scheduler.trigger('report-1', 'me');
    await disableSchedule(parts, 'report-1', 'me');
    const fired = await scheduler.trigger('report-1', 'me');
    expect(fired).toMatchObject({ run: 'run-2', reason: 'manual' });
    expect(fired.firing).toMatch(/^report-1![0-9a-z]{26}$/);
    const [first, second] = (await schedules.firings('report-1', 5)).map(({ id }) => id);
    expect(first).not.toBe(second);
  });

  it('does not affect the planned times', async () => {
    const { parts, runs, scheduler, tickAt } = scheduleKit('2026-01-01T09:59:59Z');
    await addSchedule(parts, hourly);
    await scheduler.trigger('report-1', 'me');
    runs.ended.add('run-1');
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toHaveLength(1);
  });

  it('suggests the nearest schedule for an unknown id', async () => {
    const { parts, scheduler } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, hourly);
    await expect(scheduler.trigger('reprot-1', 'me')).rejects.toMatchObject({
      code: 'schedule.unknown',
      data: { nearest: 'report-1' },
    });
  });
});

describe('Scheduler.notifyChange', () => {
  it('fires schedules that watch the path or a folder above it, once per digest', async () => {
    const { parts, runs, scheduler } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, onDocs);
    await addSchedule(parts, { ...onDocs, graph: 'other', trigger: { onChange: 'src' } });
    const { fired } = await scheduler.notifyChange('docs/a/b.md', 'd1');
    expect(fired).toMatchObject([{ firing: 'index-1#d1', run: 'run-1', reason: 'change' }]);
    runs.ended.add('run-1');
    expect((await scheduler.notifyChange('docs', 'd1')).fired).toEqual([]);
    expect((await scheduler.notifyChange('docs', 'd2')).fired).toHaveLength(1);
    expect((await scheduler.notifyChange('documents', 'd3')).fired).toEqual([]);
  });

  it('queues a change while a run is active', async () => {
    const { parts, schedules, runs, scheduler } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, onDocs);
    await scheduler.notifyChange('docs', 'd1');
    expect((await scheduler.notifyChange('docs', 'd2')).fired).toEqual([]);
    await scheduler.notifyChange('docs', 'd3');
    expect(await schedules.firing('index-1#d3')).toMatchObject({ status: 'skipped', why: 'overlap' });
    expect((await scheduler.tick()).fired).toEqual([]);
    runs.ended.add('run-1');
    expect((await scheduler.notifyChange('docs', 'd4')).fired).toEqual([]);
    expect((await scheduler.tick()).fired).toMatchObject([{ firing: 'index-1#d2', reason: 'change' }]);
  });

  it('does not fire disabled or deleted schedules', async () => {
    const { parts, scheduler } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, onDocs);
    await disableSchedule(parts, 'index-1', 'me');
    await addSchedule(parts, onDocs);
    await deleteSchedule(parts, 'index-2', 'me');
    expect((await scheduler.notifyChange('docs', 'd1')).fired).toEqual([]);
  });
});
