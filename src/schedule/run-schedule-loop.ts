import { type Clock, isOkaError, waitUntil } from '../kernel/index.ts';
import type { Scheduler, TickReport } from './scheduler.ts';

/** How long the loop sleeps at most: what other processes add or change, and runs that end, are seen after this. */
const LONGEST_SLEEP_MS = 30_000;
const RETRY_MS = 1_000;

/** What the loop needs. */
export interface ScheduleLoopParts {
  readonly clock: Clock;
  readonly scheduler: Pick<Scheduler, 'tick' | 'nextWake'>;
  readonly signal: AbortSignal;
  /** Called after each tick; drives the runs that were fired and reports failures. Must not throw. */
  readonly onTick?: (report: TickReport) => void;
  /** Lets something else wake the loop early; returns the way to stop listening. */
  readonly wakeOn?: (wake: () => void) => () => void;
}

/**
 * Ticks whenever something is due until the signal aborts. A clock that jumps ahead is made up for by the next tick; one
 * that is put back fires nothing twice. Rejects when the ledger fails for good.
 */
export async function runScheduleLoop(parts: ScheduleLoopParts): Promise<void> {
  const { clock, scheduler, signal } = parts;
  // Rung while it ticks, it does not sleep afterwards.
  let rung = new AbortController();
  const stopListening = parts.wakeOn?.(() => rung.abort());
  try {
    while (!signal.aborted) {
      const now = clock.now();
      let until = now + LONGEST_SLEEP_MS;
      try {
        const report = await scheduler.tick(now);
        parts.onTick?.(report);
        until = Math.min(until, (await scheduler.nextWake(now)) ?? until);
      } catch (error) {
        if (!isOkaError(error) || !error.transient) throw error;
        until = now + RETRY_MS;
      }
      await waitUntil(clock, until, [signal, rung.signal]);
      rung = new AbortController();
    }
  } finally {
    stopListening?.();
  }
}
