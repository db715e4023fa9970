import type { Clock } from '../../kernel/index.ts';

/** Thrown by `withinLimit` when the time limit is reached. */
export class TimeLimitError extends Error {}

/**
 * Runs work under a time limit and the caller's signal, passing it a signal of its own. Rejects with TimeLimitError at the time
 * limit, or with the caller's reason.
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
    own.abort('time limit reached');
    stop(new TimeLimitError(`the time limit of ${ms} ms is reached`));
  });
  const onAbort = (): void => {
    own.abort('cancelled');
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
