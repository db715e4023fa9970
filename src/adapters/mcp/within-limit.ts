import type { Clock } from '../../kernel/index.ts';

/** Thrown by `withinLimit` when the time is up. */
export class TimeIsUp extends Error {}

/**
 * Does work under a time limit and the caller's signal. The work is given a signal of its own, and is waited for no
 * longer once that has fired: with TimeIsUp when the time was up, else with the caller's reason.
 */
export async function withinLimit<T>(
  limit: { readonly clock: Clock; readonly ms: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, ms, signal } = limit;
  signal?.throwIfAborted();
  const own = new AbortController();
  let stop: (error: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const cancelTimer = clock.callAt(clock.now() + ms, () => {
    own.abort('the time is up');
    stop(new TimeIsUp(`the time of ${ms} ms is up`));
  });
  const onAbort = (): void => {
    own.abort('it is no longer wanted');
    stop(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(own.signal), stopped]);
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}
