import { backoffMs, type Clock, isOkaError, type Random, waitUntil } from '../kernel/index.ts';
import { retryAfterOf } from './model-error.ts';
import type { ModelProvider } from './ports.ts';
import { deltaWithRecoveries, withRecoveries } from './recoveries.ts';
import type { ModelRecovery, ModelRequest } from './types.ts';

interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The maximum number of attempts, including the first. Default: 3. */
  readonly attempts?: number;
  /** Gives up if a provider requests a longer pause. Default: one minute. */
  readonly maxPauseMs?: number;
}

const FIRST_PAUSE_MS = 500;

/**
 * Retries a provider after transient failures, with the pause it requests or exponential back-off. A stream is retried only
 * before its first piece.
 */
export function withRetry(provider: ModelProvider, options: RetryOptions): ModelProvider {
  const { clock, random, attempts = 3, maxPauseMs = 60_000 } = options;

  /** Waits before the next attempt, and returns what to record about it; or rethrows. */
  async function pauseOrThrow(
    error: unknown,
    attempt: number,
    signal: AbortSignal,
    { purpose, account }: Pick<ModelRequest, 'purpose' | 'account'> = {},
  ): Promise<ModelRecovery> {
    if (signal.aborted || attempt >= attempts || !isOkaError(error) || !error.transient) throw error;
    const asked = retryAfterOf(error);
    if (asked !== undefined && asked > (purpose?.maxPauseMs ?? maxPauseMs)) throw error;
    if (account !== undefined && !(await account.admits('retry'))) throw error;
    const growing = { firstMs: FIRST_PAUSE_MS, longestMs: maxPauseMs };
    const waitMs = Math.round(asked ?? backoffMs(attempt, growing, random));
    await waitUntil(clock, clock.now() + waitMs, [signal]);
    signal.throwIfAborted();
    const { code, message } = error;
    return { kind: 'model_retry', subject: provider.name, attempt, waitMs, code, message };
  }

  async function retry<Value>(
    ask: () => Promise<Value>,
    signal: AbortSignal,
    failed: ModelRecovery[] = [],
    request?: ModelRequest,
  ): Promise<Value> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        failed.push(await pauseOrThrow(error, attempt, signal, request));
      }
    }
  }

  const { embed } = provider;
  return {
    name: provider.name,
    complete: async (request, signal) => {
      const failed: ModelRecovery[] = [];
      const answer = await retry(() => provider.complete(request, signal), signal, failed, request);
      return withRecoveries(answer, failed);
    },
    async *stream(request, signal) {
      const failed: ModelRecovery[] = [];
      let seen = false;
      for (let attempt = 1; ; attempt++) {
        try {
          for await (const delta of provider.stream(request, signal)) {
            seen = true;
            yield deltaWithRecoveries(delta, failed);
          }
          return;
        } catch (error) {
          if (seen) throw error;
          failed.push(await pauseOrThrow(error, attempt, signal, request));
        }
      }
    },
    ...(embed && { embed: (texts, signal) => retry(() => embed.call(provider, texts, signal), signal) }),
  };
}
