import type { Random } from './ports.ts';

/** How pauses between attempts grow. */
export interface Backoff {
  readonly firstMs: number;
  /** No pause is longer; unlimited unless given. */
  readonly longestMs?: number;
  /** How many times longer each pause is than the one before; 2 unless given. */
  readonly factor?: number;
}

/**
 * The pause after this many failures in a row. With `random` the pause is between half of it and all of it, so that
 * callers that failed together do not retry together.
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs = Number.POSITIVE_INFINITY, factor = 2 }: Backoff,
  random?: Random,
): number {
  const whole = Math.min(longestMs, firstMs * factor ** Math.min(failures - 1, 30));
  return Math.round(random === undefined ? whole : whole * (0.5 + random.next() / 2));
}
