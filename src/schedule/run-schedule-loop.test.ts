import { describe, expect, it } from 'vitest';
import { settle } from '../../test/support/manual-clock.ts';
import { OkaError } from '../kernel/index.ts';
import { addSchedule } from './change-schedule.ts';
import { nextWake } from './planned-firings.ts';
import { runScheduleLoop } from './run-schedule-loop.ts';
import { scheduleKit } from './schedule-kit.conformance.ts';
import type { FiredRun } from './scheduler.ts';

const hourly = {
  graph: 'report',
  trigger: { cron: '0 * * * *', zone: 'UTC' },
  by: 'me',
  overlap: 'allow',
} as const;

function startLoop(kit: ReturnType<typeof scheduleKit>) {
  const stop = new AbortController();
  const fired: FiredRun[] = [];
  const ticks: number[] = [];
  let wake: () => void = () => undefined;
  const ended = runScheduleLoop({
    clock: kit.clock,
    scheduler: kit.scheduler,
    signal: stop.signal,
    onTick(report) {
      fired.push(...report.fired);
      ticks.push(kit.clock.now());
    },
    wakeOn(call) {
      wake = call;
      return () => undefined;
    },
  });
  return { stop, fired, ticks, ended, wake: () => wake() };
}

describe('runScheduleLoop', () => {
  it('wakes when a schedule is due', async () => {
    const kit = scheduleKit('2026-01-01T09:59:50Z');
    await addSchedule(kit.parts, hourly);
    const loop = startLoop(kit);
    await settle();
    expect(loop.fired).toEqual([]);
    kit.clock.advanceToNext();
    await settle();
    expect(kit.clock.now()).toBe(Date.parse('2026-01-01T10:00:00Z'));
    expect(loop.fired).toMatchObject([{ reason: 'due' }]);
    loop.stop.abort();
    await loop.ended;
  });

  it('notices schedules of other processes within 30 seconds', async () => {
    const kit = scheduleKit('2026-01-01T09:59:00Z');
    const loop = startLoop(kit);
    await settle();
    await addSchedule(kit.parts, hourly);
    kit.clock.advanceToNext();
    await settle();
    expect(loop.ticks.map((at) => new Date(at).toISOString())).toEqual([
      '2026-01-01T09:59:00.000Z',
      '2026-01-01T09:59:30.000Z',
    ]);
    kit.clock.advanceToNext();
    await settle();
    expect(loop.fired).toHaveLength(1);
    loop.stop.abort();
    await loop.ended;
  });

  it('catches up after the machine slept', async () => {
    const kit = scheduleKit('2026-01-01T09:59:50Z');
    await addSchedule(kit.parts, hourly);
    const loop = startLoop(kit);
    await settle();
    kit.clock.advance(10 * 3_600_000);
    await settle();
    expect(loop.fired).toMatchObject([{ plannedAt: Date.parse('2026-01-01T19:00:00Z'), reason: 'late' }]);
    expect(await kit.schedules.firings('report-1', 9)).toMatchObject([
      { status: 'fired' },
      { status: 'skipped', why: 'misfire', count: 9 },
    ]);
    loop.stop.abort();
    await loop.ended;
  });

  it('fires nothing twice after the clock is set back', async () => {
    const kit = scheduleKit('2026-01-01T09:59:50Z');
    await addSchedule(kit.parts, hourly);
    const loop = startLoop(kit);
    await settle();
    kit.clock.advance(10_000);
    await settle();
    kit.clock.advance(-1_800_000);
    loop.wake();
    for (let wakes = 0; wakes < 130; wakes++) {
      kit.clock.advanceToNext();
      await settle(4);
    }
    expect(kit.clock.now()).toBeGreaterThan(Date.parse('2026-01-01T10:05:00Z'));
    const planned = loop.fired.map(({ plannedAt }) => plannedAt);
    expect(planned).toEqual([...new Set(planned)]);
    expect(planned[0]).toBe(Date.parse('2026-01-01T10:00:00Z'));
    loop.stop.abort();
    await loop.ended;
  });

  it('wakes early when called', async () => {
    const kit = scheduleKit('2026-01-01T09:30:00Z');
    const loop = startLoop(kit);
    await settle();
    loop.wake();
    await settle();
    expect(loop.ticks).toHaveLength(2);
    loop.stop.abort();
    await loop.ended;
  });

  it('retries after a transient failure, and rejects with a permanent one', async () => {
    const kit = scheduleKit('2026-01-01T09:30:00Z');
    const failures = [
      new OkaError('ledger.busy', 'busy; try again.', { transient: true }),
      new OkaError('ledger.damaged', 'damaged; run verify.'),
    ];
    const scheduler = {
      tick: () => Promise.reject(failures.shift()),
      nextWake: () => Promise.resolve(undefined),
    };
    const ended = runScheduleLoop({ clock: kit.clock, scheduler, signal: new AbortController().signal });
    const outcome = expect(ended).rejects.toMatchObject({ code: 'ledger.damaged' });
    await settle();
    expect(failures).toHaveLength(1);
    kit.clock.advanceToNext();
    await outcome;
    expect(kit.clock.now()).toBe(Date.parse('2026-01-01T09:30:01Z'));
  });
});

describe('nextWake', () => {
  it('returns the first planned time of enabled schedules, after now and after the cursor', async () => {
    const kit = scheduleKit('2026-01-01T09:30:00Z');
    expect(nextWake([], kit.clock.now())).toBeUndefined();
    const hour = await addSchedule(kit.parts, hourly);
    const quarter = await addSchedule(kit.parts, {
      ...hourly,
      trigger: { cron: '*/15 * * * *', zone: 'UTC' },
    });
    const watching = await addSchedule(kit.parts, { ...hourly, trigger: { onChange: 'docs' } });
    const now = kit.clock.now();
    expect(nextWake([hour, quarter, watching], now)).toBe(Date.parse('2026-01-01T09:45:00Z'));
    expect(nextWake([hour, { ...quarter, enabled: false }], now)).toBe(Date.parse('2026-01-01T10:00:00Z'));
    const tenOClock = Date.parse('2026-01-01T10:00:00Z');
    const ahead = { ...hour, cursor: tenOClock };
    expect(nextWake([ahead], tenOClock - 60_000)).toBe(Date.parse('2026-01-01T11:00:00Z'));
    expect(nextWake([ahead], tenOClock - 60_001)).toBe(tenOClock);
    expect(nextWake([watching], now)).toBeUndefined();
  });
});
