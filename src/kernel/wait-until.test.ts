import { describe, expect, it } from 'vitest';
import type { Clock } from './ports.ts';
import { waitUntil } from './wait-until.ts';

/** A clock that never advances; a test fires its timers. */
function stillClock(): { readonly clock: Clock; readonly timers: Map<number, () => void> } {
  const timers = new Map<number, () => void>();
  const callAt: Clock['callAt'] = (at, callback) => {
    timers.set(at, callback);
    return () => void timers.delete(at);
  };
  return { clock: { now: () => 0, callAt }, timers };
}

describe('waitUntil', () => {
  it('resolves at that time', async () => {
    const { clock, timers } = stillClock();
    const waiting = waitUntil(clock, 5, []);
    timers.get(5)?.();
    await waiting;
  });

  it('resolves when any signal aborts and leaves no timer', async () => {
    const { clock, timers } = stillClock();
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = waitUntil(clock, 5, [one.signal, other.signal]);
    expect(timers.size).toBe(1);
    other.abort();
    await waiting;
    expect(timers.size).toBe(0);
  });

  it('resolves immediately without a timer when a signal is already aborted', async () => {
    const { clock, timers } = stillClock();
    const waiting = waitUntil(clock, 5, [new AbortController().signal, AbortSignal.abort()]);
    expect(timers.size).toBe(0);
    await waiting;
  });
});
