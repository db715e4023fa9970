import { backoffMs, type Random } from '../../kernel/index.ts';

const LONGEST_MS = 300_000;

/**
 * How long to wait after that many failures in a row: twice as long each time, at most five minutes, and at least half of
 * it, by chance, so that many who lost the same sink do not come back at once. What will not pass by itself waits longest.
 */
export function retryDelayMs(
  { failures, transient }: { readonly failures: number; readonly transient: boolean },
  random: Random,
): number {
  return backoffMs(failures, { firstMs: transient ? 1_000 : LONGEST_MS, longestMs: LONGEST_MS }, random);
}
