import type { Random } from '../../kernel/index.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/**
 * How long to wait after that many failures in a row: twice as long each time, at most five minutes, and at least half of
 * it, by chance, so that many who lost the same sink do not come back at once. What will not pass by itself waits longest.
 */
export function retryDelayMs(
  { failures, transient }: { readonly failures: number; readonly transient: boolean },
  random: Random,
): number {
  const whole = transient ? Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30)) : LONGEST_MS;
  return Math.round(whole / 2 + (random.next() * whole) / 2);
}
