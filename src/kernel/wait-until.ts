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
