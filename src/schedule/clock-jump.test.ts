import { describe, expect, it } from 'vitest';
import { addSchedule, disableSchedule, enableSchedule } from './change-schedule.ts';
import { scheduleKit } from './schedule-kit.conformance.ts';
import { listSchedules } from './view-schedule.ts';

const hourly = {
  graph: 'report',
  trigger: { cron: '0 * * * *', zone: 'UTC' },
  overlap: 'allow',
  by: 'me',
} as const;
const at = (text: string): number => Date.parse(text);

/** A schedule that ticked a year ahead before the clock was set back. */
async function afterJump(misfire: 'skip' | 'one' | 'all' = 'one') {
  const kit = scheduleKit('2026-01-01T09:30:00Z');
  await addSchedule(kit.parts, { ...hourly, misfire });
  const { fired } = await kit.tickAt('2027-01-01T09:30:00Z');
  return { ...kit, firedAhead: fired };
}

describe('a clock that jumped a year ahead and back', () => {
  it.each([
    ['skip', 0],
    ['one', 1],
    ['all', 100],
  ] as const)('fires at most what the misfire policy allows: %s', async (misfire, count) => {
    const { firedAhead } = await afterJump(misfire);
    expect(firedAhead).toHaveLength(count);
  });

  it('does not block the schedule, and the correction is recorded', async () => {
    const { eventsOf, tickAt } = await afterJump();
    expect((await tickAt('2026-01-01T09:31:00Z')).fired).toEqual([]);
    expect((await eventsOf('report-1')).at(-1)).toMatchObject({
      type: 'schedule.clock_corrected',
      data: { cursor: at('2026-01-01T09:31:00Z'), previousCursor: at('2027-01-01T09:00:00Z') },
    });
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toMatchObject([
      { firing: 'report-1@2026-01-01T10:00:00.000Z', reason: 'due' },
    ]);
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toHaveLength(1);
  });

  it('corrects the cursor once', async () => {
    const { eventsOf, tickAt } = await afterJump();
    await tickAt('2026-01-01T09:31:00Z');
    await tickAt('2026-01-01T09:32:00Z');
    const types = (await eventsOf('report-1')).map(({ type }) => type);
    expect(types.filter((type) => type === 'schedule.clock_corrected')).toHaveLength(1);
  });

  it('does not fire a planned time again that the wrong clock fired, and records why', async () => {
    const { schedules, tickAt, firedAhead, clock } = await afterJump();
    const again = '2027-01-01T09:00:00.000Z';
    expect(firedAhead).toMatchObject([{ firing: `report-1@${again}`, run: 'run-1' }]);
    await tickAt('2026-01-01T09:31:00Z');
    await tickAt('2027-01-01T08:00:00Z');
    expect((await tickAt(again)).fired).toEqual([]);
    expect(await schedules.firing(`report-1@${again}`)).toMatchObject({ status: 'fired', run: 'run-1' });
    const [view] = await listSchedules(schedules, clock.now());
    expect(view?.lastSkipped).toMatchObject({ plannedAt: at(again), why: 'clock' });
    expect((await tickAt('2027-01-01T10:00:00Z')).fired).toHaveLength(1);
  });

  it('shows the next firing before the correction, and the clock as the reason of the skip', async () => {
    const { schedules } = await afterJump();
    const [view] = await listSchedules(schedules, at('2026-01-01T09:31:00Z'));
    expect(view?.next[0]).toBe(at('2026-01-01T10:00:00Z'));
    expect(view?.lastSkipped).toMatchObject({ plannedAt: at('2026-01-01T10:00:00Z'), why: 'clock' });
  });

  it('lets a schedule that is enabled afterwards continue from now', async () => {
    const { parts, tickAt, clock } = await afterJump();
    await disableSchedule(parts, 'report-1', 'me');
    clock.advance(at('2026-01-01T09:31:00Z') - clock.now());
    expect((await enableSchedule(parts, 'report-1', 'me')).cursor).toBe(clock.now());
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toHaveLength(1);
  });
});

describe('a clock that was years behind and is corrected', () => {
  it.each(['one', 'all'] as const)('fires nothing that already fired: %s', async (misfire) => {
    const { parts, tickAt } = scheduleKit('2026-01-01T09:30:00Z');
    await addSchedule(parts, { ...hourly, misfire });
    expect((await tickAt('2026-01-01T10:00:00Z')).fired).toHaveLength(1);
    await tickAt('1970-01-01T00:00:00Z');
    expect((await tickAt('2026-01-01T10:30:00Z')).fired).toEqual([]);
    expect((await tickAt('2026-01-01T11:00:00Z')).fired).toHaveLength(1);
  });
});
