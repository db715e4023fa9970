import { describe, expect, it } from 'vitest';
import type { Clock } from './ports.ts';
import { waitUntil } from './wait-until.ts';

/** A clock that stands still; its timers come when a test rings them. */
function stillClock(): { readonly clock: Clock; readonly timers: Map<number, () => void> } {
  const timers = new Map<number, () => void>();
  const callAt: Clock['callAt'] = (at, callback) => {
    timers.set(at, callback);
    return () => void timers.delete(at);
  };
  return { clock: { now: () => 0, callAt }, timers };
}

describe('waiting until a moment', () => {
  it('passes when it has come', async () => {
    const { clock, timers } = stillClock();
    const waiting = waitUntil(clock, 5, []);
    timers.get(5)?.();
    await waiting;
  });

  it('passes as soon as any signal is aborted, and leaves no timer', async () => {
    const { clock, timers } = stillClock();
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = waitUntil(clock, 5, [one.signal, other.signal]);
    expect(timers.size).toBe(1);
    other.abort();
    await waiting;
    expect(timers.size).toBe(0);
  });

  it('passes at once where a signal is aborted already, without a timer', async () => {
    const { clock, timers } = stillClock();
    const waiting = waitUntil(clock, 5, [new AbortController().signal, AbortSignal.abort()]);
    expect(timers.size).toBe(0);
    await waiting;
  });
});
