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

describe('the turn of maintenance', () => {
  it('comes at once where it never came, then once a day, however often it is read', async () => {
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

  it('waits for the rest of the day that another process has begun', async () => {
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

  it('reports a failure and tries again the next day only', async () => {
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

  it('comes when the clock is right again after it was a year ahead', async () => {
    const { clock, turn, done } = turning();
    clock.advance(365 * DAY_MS);
    turn.look();
    await turn.settled();
    clock.advance(-365 * DAY_MS);
    turn.look();
    await turn.settled();
    expect(done()).toBe(2);
  });

  it('does not wait for a year because the last one is recorded a year ahead', async () => {
    const { turn, done } = turning({ lastAt: new ManualClock().now() + 365 * DAY_MS });
    turn.look();
    await turn.settled();
    expect(done()).toBe(1);
  });

  it('goes round by itself until it is told to stop', async () => {
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
