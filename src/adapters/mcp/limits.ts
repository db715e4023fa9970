import type { Clock } from '../../kernel/index.ts';

/** Limits on a server's time and data. */
export interface McpLimits {
  readonly connectMs: number;
  readonly callMs: number;
  /** How long a server may take to answer the newest protocol's probe before it counts as an older one. */
  readonly probeMs: number;
  readonly maxMessageBytes: number;
  readonly maxPages: number;
  readonly maxTools: number;
  readonly maxListBytes: number;
}

export const DEFAULT_LIMITS: McpLimits = {
  connectMs: 60_000,
  callMs: 600_000,
  probeMs: 15_000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxPages: 50,
  maxTools: 1_000,
  maxListBytes: 2 * 1024 * 1024,
};

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
