import { describe, expect, it } from 'vitest';
import type { MaintenanceAnswer, WorkerOutcome } from '../../src/api/index.ts';
import { MaintenanceTurn } from '../../src/runtime/maintenance/maintenance-turn.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const DAY_MS = 86_400_000;

function turning(options: { lastAt?: number; fails?: boolean } = {}) {
  const clock = new ManualClock();
  const outcomes: WorkerOutcome[] = [];
  let done = 0;
  const maintain = async (): Promise<MaintenanceAnswer> => {
    done += 1;
    if (options.fails) throw new Error('the disk is full');
    return { outcome: 'nothing_changed' };
  };
  const turn = new MaintenanceTurn({
    clock,
    lastAt: async () => options.lastAt,
    maintain,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { clock, turn, outcomes, done: () => done };
}

describe('the maintenance timer', () => {
  it('fires at once the first time, then once a day, however often it is polled', async () => {
    const { clock, turn, done } = turning();
    for (let i = 0; i < 3; i++) {
      turn.look();
      turn.look();
      await turn.settled();
    }
    expect(done()).toBe(1);
    clock.advance(DAY_MS - 1);
    turn.look();
    await turn.settled();
    expect(done()).toBe(1);
    clock.advance(1);
    turn.look();
    await turn.settled();
    expect(done()).toBe(2);
  });

  it('waits a day after the run of another process', async () => {
    const now = new ManualClock().now();
    const { clock, turn, done } = turning({ lastAt: now - DAY_MS / 2 });
    turn.look();
    await turn.settled();
    expect(done()).toBe(0);
    clock.advance(DAY_MS / 2);
    turn.look();
    await turn.settled();
    expect(done()).toBe(1);
  });

  it('reports a failure and retries only the next day', async () => {
    const { clock, turn, outcomes, done } = turning({ fails: true });
    for (let i = 0; i < 3; i++) {
      turn.look();
      await turn.settled();
    }
    expect(done()).toBe(1);
    expect(outcomes.filter(({ ok }) => !ok)).toMatchObject([
      { task: 'maintain', message: 'the disk is full', nextTryAt: clock.now() + DAY_MS },
    ]);
  });

  it('fires once the clock is corrected after it was a year ahead', async () => {
    const { clock, turn, done } = turning();
    clock.advance(365 * DAY_MS);
    turn.look();
    await turn.settled();
    clock.advance(-365 * DAY_MS);
    turn.look();
    await turn.settled();
    expect(done()).toBe(2);
  });

  it('does not wait for a year because the last run is recorded a year ahead', async () => {
    const { turn, done } = turning({ lastAt: new ManualClock().now() + 365 * DAY_MS });
    turn.look();
    await turn.settled();
    expect(done()).toBe(1);
  });

  it('fires repeatedly until it is stopped', async () => {
    const { clock, turn, done } = turning();
    const stop = new AbortController();
    const loop = turn.loop(stop.signal);
    await settle();
    while (done() < 3 && clock.advanceToNext()) await settle();
    expect(clock.now() - new ManualClock().now()).toBeGreaterThanOrEqual(2 * DAY_MS);
    stop.abort();
    await loop;
  });
});
