import type { Clock, EpochMs } from './ports.ts';

/** Resolves at `at`, or as soon as one of the signals aborts. */
export function waitUntil(
  clock: Clock,
  at: EpochMs,
  signals: readonly AbortSignal[],
  options?: { readonly background?: boolean },
): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.callAt(at, end, options);
    for (const signal of signals) signal.addEventListener('abort', end);
  });
}

/** How far a recorded time may be ahead of the clock. Regular clock corrections are smaller than this. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** Whether the clock was wrong when this time was recorded, or is wrong now. Waiting for such a time could take years. */
export function isAheadOfClock(recordedAt: EpochMs, now: EpochMs): boolean {
  return recordedAt - now > CLOCK_TOLERANCE_MS;
}

/** Rejects when the signal aborts; the work itself continues for other callers. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
