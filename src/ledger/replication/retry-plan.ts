import type { Random } from '../../kernel/index.ts';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;

/**
 * The delay after this many consecutive failures: doubles each time up to five minutes, with jitter down to half of it, so
 * that clients of the same sink do not reconnect at once. Permanent errors wait longest.
 */
export function retryDelayMs(
  { failures, transient }: { readonly failures: number; readonly transient: boolean },
  random: Random,
): number {
  const whole = transient
    ? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30))
    : MAX_DELAY_MS;
  return Math.round(whole / 2 + (random.next() * whole) / 2);
}
