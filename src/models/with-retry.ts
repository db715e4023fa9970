import { backoffMs, type Clock, isOkaError, type Random } from '../kernel/index.ts';
import { retryAfterOf } from './model-error.ts';
import type { ModelProvider } from './ports.ts';
import { waitFor } from './wait-for.ts';

interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How often to ask at most, the first time included; 3 unless told. */
  readonly attempts?: number;
  /** A provider that asks for a longer pause is not waited for; a minute unless told. */
  readonly longestPauseMs?: number;
}

const FIRST_PAUSE_MS = 500;

/**
 * Asks a provider again after transient failures, after the pause it asked for or a growing one. A stream is asked again
 * only while nothing of it was seen.
 */
export function withRetry(provider: ModelProvider, options: RetryOptions): ModelProvider {
  const { clock, random, attempts = 3, longestPauseMs = 60_000 } = options;

  /** Waits before the next attempt, or throws what failed. */
  async function pauseOrThrow(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || attempt >= attempts || !isOkaError(error) || !error.transient) throw error;
    const asked = retryAfterOf(error);
    if (asked !== undefined && asked > longestPauseMs) throw error;
    const growing = { firstMs: FIRST_PAUSE_MS, longestMs: longestPauseMs };
    await waitFor(clock, asked ?? backoffMs(attempt, growing, random), signal);
  }

  async function again<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        await pauseOrThrow(error, attempt, signal);
      }
    }
  }

  const { embed } = provider;
  return {
    name: provider.name,
    complete: (request, signal) => again(() => provider.complete(request, signal), signal),
    async *stream(request, signal) {
      let seen = false;
      for (let attempt = 1; ; attempt++) {
        try {
          for await (const delta of provider.stream(request, signal)) {
            seen = true;
            yield delta;
          }
          return;
        } catch (error) {
          if (seen) throw error;
          await pauseOrThrow(error, attempt, signal);
        }
      }
    },
    ...(embed && { embed: (texts, signal) => again(() => embed.call(provider, texts, signal), signal) }),
  };
}
