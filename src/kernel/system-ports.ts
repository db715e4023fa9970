import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock, Ids, Random } from './ports.ts';

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock. Waits longer than setTimeout can hold are taken in stages. */
export const systemClock: Clock = {
  now: () => Date.now(),
  callAt(at, callback, options) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const left = at - Date.now();
      timer = setTimeout(
        left > LONGEST_TIMEOUT_MS ? arm : callback,
        Math.max(0, Math.min(left, LONGEST_TIMEOUT_MS)),
      );
      if (options?.background) timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};

const pool = Buffer.alloc(4096);
let used = pool.length;

/** The machine's randomness; bytes come from the cryptographic source, a page at a time. */
export const systemRandom: Random = {
  next: () => Number.parseInt(systemRandom.hex(6), 16) / 2 ** 48,
  hex(length) {
    if (length > pool.length) return randomFillSync(Buffer.alloc(length)).toString('hex');
    if (used + length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return pool.toString('hex', used - length, used);
  },
};

/** ULIDs in lower case: 48 bits of time, 80 of chance, growing within a millisecond. */
export function sortableIds(clock: Clock, random: Random): Ids {
  const make = monotonicFactory(() => random.next());
  return { next: () => make(clock.now()).toLowerCase() };
}
