import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

const chance = (value: number) => ({ next: () => value, hex: () => '' });

describe('backoffMs', () => {
  it('doubles with each failure, up to the longest pause', () => {
    const pauses = [1, 2, 3, 4, 1_000].map((failures) =>
      backoffMs(failures, { firstMs: 100, longestMs: 500 }),
    );
    expect(pauses).toEqual([100, 200, 400, 500, 500]);
  });

  it('grows by another factor where one is given', () => {
    expect(backoffMs(3, { firstMs: 1_000, factor: 4 })).toBe(16_000);
  });

  it('waits a random time between half of the pause and all of it', () => {
    const pause = (value: number): number => backoffMs(2, { firstMs: 100 }, chance(value));
    expect([pause(0), pause(0.5), pause(1)]).toEqual([100, 150, 200]);
  });
});
