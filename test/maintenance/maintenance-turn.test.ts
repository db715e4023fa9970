import { describe, expect, it } from 'vitest';
import type { MaintenanceAnswer } from '../../src/api/index.ts';
import { MaintenanceTurn } from '../../src/runtime/maintenance-turn.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const DAY_MS = 86_400_000;

function turning(options: { lastAt?: number; fails?: boolean } = {}) {
  const clock = new ManualClock();
  const troubles: string[] = [];
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
    onTrouble: (what) => troubles.push(what),
  });
  return { clock, turn, troubles, done: () => done };
}

describe('the turn of maintenance', () => {
  it('comes at once where it never came, then once a day, however often it is looked at', async () => {
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

  it('tells of trouble and tries again the next day only', async () => {
    const { turn, troubles, done } = turning({ fails: true });
    for (let i = 0; i < 3; i++) {
      turn.look();
      await turn.settled();
    }
    expect(done()).toBe(1);
    expect(troubles).toEqual(['maintenance: the disk is full']);
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
