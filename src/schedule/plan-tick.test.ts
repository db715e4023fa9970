import { describe, expect, it } from 'vitest';
import { planTick } from './plan-tick.ts';
import type { Schedule, SchedulePolicies } from './types.ts';

const at = (text: string): number => Date.parse(text);

function scheduleOf(
  cron: string,
  policies: Partial<SchedulePolicies> = {},
  more: Partial<Schedule> = {},
): Schedule {
  return {
    id: 'report-1',
    graph: 'report',
    trigger: { cron, zone: 'UTC' },
    policies: { misfire: 'one', overlap: 'skip', dst: 'run_after', ...policies },
    inputErased: false,
    enabled: true,
    cursor: 0,
    runs: [],
    addedAt: 0,
    addedBy: 'me',
    index: 0,
    ...more,
  };
}

const HOURLY = '0 * * * *';
const NINE = at('2026-01-01T09:00:00Z');
const HOUR = 3_600_000;

describe('planTick', () => {
  it('fires what is due, with an id made of the schedule and the planned time', () => {
    expect(planTick(scheduleOf(HOURLY), NINE, NINE + HOUR)).toEqual([
      {
        do: 'fire',
        firing: 'report-1@2026-01-01T10:00:00.000Z',
        plannedAt: NINE + HOUR,
        reason: 'due',
        cursor: NINE + HOUR,
      },
    ]);
  });

  it('does nothing before a planned time, after a decided one, or for a disabled schedule', () => {
    expect(planTick(scheduleOf(HOURLY), NINE, NINE + HOUR - 1)).toEqual([]);
    expect(planTick(scheduleOf(HOURLY), NINE + HOUR, NINE + HOUR)).toEqual([]);
    expect(planTick(scheduleOf(HOURLY, {}, { enabled: false }), NINE, NINE + 5 * HOUR)).toEqual([]);
  });

  it('plans nothing while the clock is set back within the tolerance', () => {
    expect(planTick(scheduleOf(HOURLY), NINE + 60_000, NINE)).toEqual([]);
  });

  it('continues from now if the cursor is ahead of the clock by more than the tolerance', () => {
    const previousCursor = NINE + 60_001;
    expect(planTick(scheduleOf(HOURLY), previousCursor, NINE)).toEqual([
      { do: 'correct_clock', cursor: NINE, previousCursor },
    ]);
  });

  it('skips a planned time that was decided before the cursor was set back', () => {
    const decided = new Set([`report-1@${new Date(NINE + HOUR).toISOString()}`]);
    expect(planTick(scheduleOf(HOURLY), NINE, NINE + HOUR, { decided })).toMatchObject([
      { do: 'skip', why: 'clock', plannedAt: NINE + HOUR, firing: expect.stringMatching(/~clock$/) },
    ]);
  });

  it.each(['skip', 'one', 'all'] as const)(
    'fires within the grace period for any misfire policy: %s',
    (misfire) => {
      const plan = planTick(scheduleOf(HOURLY, { misfire }), NINE, NINE + HOUR + 60_000);
      expect(plan).toMatchObject([{ do: 'fire', plannedAt: NINE + HOUR, reason: 'late' }]);
    },
  );

  it('records all missed firings as one skip', () => {
    const plan = planTick(scheduleOf(HOURLY, { misfire: 'skip' }), NINE, NINE + 3 * HOUR + 60_001);
    expect(plan).toEqual([
      {
        do: 'skip',
        firing: 'report-1@2026-01-01T10:00:00.000Z',
        plannedAt: NINE + HOUR,
        why: 'misfire',
        count: 3,
        until: NINE + 3 * HOUR,
        cursor: NINE + 3 * HOUR,
      },
    ]);
  });

  it('runs the latest missed firing', () => {
    const plan = planTick(scheduleOf(HOURLY), NINE, NINE + 3 * HOUR + 60_001);
    expect(plan).toMatchObject([
      { do: 'skip', why: 'misfire', count: 2, until: NINE + 2 * HOUR },
      { do: 'fire', plannedAt: NINE + 3 * HOUR, reason: 'late', cursor: NINE + 3 * HOUR },
    ]);
  });

  it('lets an on-time firing replace the ones missed before it', () => {
    const plan = planTick(scheduleOf(HOURLY), NINE, NINE + 3 * HOUR);
    expect(plan).toMatchObject([
      { do: 'skip', why: 'misfire', count: 2 },
      { do: 'fire', plannedAt: NINE + 3 * HOUR, reason: 'due' },
    ]);
  });

  it('runs up to a hundred missed firings in order, and skips the rest', () => {
    const all = scheduleOf(HOURLY, { misfire: 'all', overlap: 'allow' });
    const plan = planTick(all, NINE, NINE + 150 * HOUR + 60_001);
    expect(plan[0]).toMatchObject({ do: 'skip', why: 'misfire', count: 50, until: NINE + 50 * HOUR });
    const fired = plan.slice(1);
    expect(fired.map(({ do: what }) => what)).toEqual(Array(100).fill('fire'));
    expect(fired.map((action) => 'plannedAt' in action && action.plannedAt)).toEqual(
      Array.from({ length: 100 }, (_, place) => NINE + (51 + place) * HOUR),
    );
  });

  it('accounts for every planned time of a long absence', () => {
    const plan = planTick(
      scheduleOf('* * * * *', { misfire: 'all', overlap: 'allow' }),
      NINE,
      NINE + 40 * HOUR,
    );
    const counted = plan.reduce((sum, action) => sum + (action.do === 'skip' ? action.count : 1), 0);
    expect(counted).toBe(40 * 60);
    expect(plan.at(-1)?.cursor).toBe(NINE + 40 * HOUR);
  });

  it('reports that it stopped counting', () => {
    const plan = planTick(scheduleOf('* * * * * *', { misfire: 'skip' }), NINE, NINE + 24 * 30 * HOUR + 100);
    expect(plan[0]).toMatchObject({ do: 'skip', why: 'misfire', more: true });
    expect(plan.at(-1)?.cursor).toBe(NINE + 24 * 30 * HOUR);
  });

  it('skips a firing while a run is active', () => {
    const plan = planTick(scheduleOf(HOURLY), NINE, NINE + HOUR, { runningRun: 'run-1' });
    expect(plan).toMatchObject([{ do: 'skip', why: 'overlap', count: 1, plannedAt: NINE + HOUR }]);
  });

  it('fires while a run is active if overlap is allowed', () => {
    const plan = planTick(scheduleOf(HOURLY, { overlap: 'allow' }), NINE, NINE + HOUR, {
      runningRun: 'run-1',
    });
    expect(plan).toMatchObject([{ do: 'fire' }]);
  });

  it('queues one firing, and skips others while it waits', () => {
    const schedule = scheduleOf('*/30 * * * * *', { overlap: 'queue' });
    const plan = planTick(schedule, NINE, NINE + 60_000, { runningRun: 'run-1' });
    expect(plan).toMatchObject([
      { do: 'queue', firing: 'report-1@2026-01-01T09:00:30.000Z', reason: 'late' },
      { do: 'skip', why: 'overlap', plannedAt: NINE + 60_000 },
    ]);
  });

  it('fires the queued firing once the run has ended, and queues the next one', () => {
    const queued = { firing: 'report-1@x', plannedAt: NINE, reason: 'late' } as const;
    const schedule = scheduleOf(HOURLY, { overlap: 'queue' }, { queued });
    expect(planTick(schedule, NINE, NINE + 1, { runningRun: 'run-1' })).toEqual([]);
    expect(planTick(schedule, NINE, NINE + HOUR)).toMatchObject([
      { do: 'fire', firing: 'report-1@x', queued: true, cursor: NINE },
      { do: 'queue', plannedAt: NINE + HOUR, cursor: NINE + HOUR },
    ]);
  });

  it('runs one of all missed firings if overlaps are skipped, because the first is then active', () => {
    const plan = planTick(scheduleOf(HOURLY, { misfire: 'all' }), NINE, NINE + 4 * HOUR + 60_001);
    expect(plan).toMatchObject([
      { do: 'fire', plannedAt: NINE + HOUR },
      { do: 'skip', why: 'overlap', count: 3 },
    ]);
  });

  it('records times inside a DST gap separately from a firing at the same time', () => {
    const trigger = { cron: '0,30 2,3 * * *', zone: 'Europe/Berlin' };
    const schedule = scheduleOf(HOURLY, { dst: 'skip' }, { trigger });
    const jump = at('2026-03-29T01:00:00Z');
    expect(planTick(schedule, jump - 1, jump)).toMatchObject([
      { do: 'skip', why: 'dst', firing: 'report-1@2026-03-29T01:00:00.000Z~gap', count: 2 },
      { do: 'fire', firing: 'report-1@2026-03-29T01:00:00.000Z' },
    ]);
  });

  it('starts nothing if the input is erased', () => {
    const queued = { firing: 'report-1@x', plannedAt: NINE, reason: 'late' } as const;
    const schedule = scheduleOf(HOURLY, {}, { inputErased: true, queued });
    expect(planTick(schedule, NINE, NINE + HOUR)).toMatchObject([
      { do: 'skip', firing: 'report-1@x', why: 'input_erased', queued: true },
      { do: 'skip', plannedAt: NINE + HOUR, why: 'input_erased', count: 1 },
    ]);
  });
});
