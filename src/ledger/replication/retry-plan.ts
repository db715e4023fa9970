import { backoffMs, type Random } from '../../kernel/index.ts';

const MAX_DELAY_MS = 300_000;

/**
 * The delay after this many consecutive failures: doubles each time up to five minutes, with jitter down to half of it, so
 * that clients of the same sink do not reconnect at once. Permanent errors wait longest.
 */
export function retryDelayMs(
  { failures, transient }: { readonly failures: number; readonly transient: boolean },
  random: Random,
): number {
  return backoffMs(failures, { firstMs: transient ? 1_000 : MAX_DELAY_MS, longestMs: MAX_DELAY_MS }, random);
}
