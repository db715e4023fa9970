import { type Clock, isOkaError, waitUntil } from '../kernel/index.ts';
import type { Scheduler, TickReport } from './scheduler.ts';

/** The polling interval for changes by other processes and for ended runs. */
const MAX_SLEEP_MS = 30_000;
const RETRY_MS = 1_000;

export interface ScheduleLoopParts {
  readonly clock: Clock;
  readonly scheduler: Pick<Scheduler, 'tick' | 'nextWake'>;
  readonly signal: AbortSignal;
  /** Called after each tick to drive the fired runs and report failures. Must not throw. */
  readonly onTick?: (report: TickReport) => void | Promise<void>;
  /** Subscribes an early wake-up; returns the unsubscribe function. */
  readonly wakeOn?: (wake: () => void) => () => void;
}

/**
 * Ticks whenever a schedule is due, until the signal aborts. The next tick catches up after a clock jump; a clock set back fires
 * nothing twice. Rejects if the ledger fails permanently.
 */
export async function runScheduleLoop(parts: ScheduleLoopParts): Promise<void> {
  const { clock, scheduler, signal } = parts;
  // A wake-up during a tick skips the following sleep.
  let woken = new AbortController();
  const stopListening = parts.wakeOn?.(() => woken.abort());
  try {
    while (!signal.aborted) {
      const now = clock.now();
      let until = now + MAX_SLEEP_MS;
      try {
        const report = await scheduler.tick(now);
        await parts.onTick?.(report);
        until = Math.min(until, (await scheduler.nextWake(now)) ?? until);
      } catch (error) {
        if (!isOkaError(error) || !error.transient) throw error;
        until = now + RETRY_MS;
      }
      await waitUntil(clock, until, [signal, woken.signal]);
      woken = new AbortController();
    }
  } finally {
    stopListening?.();
  }
}
