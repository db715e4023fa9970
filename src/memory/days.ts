import { type EpochMs, OkaError } from '../kernel/index.ts';
import type { MemoryErrorCode } from './types.ts';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day of a time, such as 2026-01-31. */
export function dayOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The start and end of a UTC day. */
export function parseDay(day: string): { readonly from: EpochMs; readonly to: EpochMs } {
  const from = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isFinite(from) && dayOf(from) === day) return { from, to: from + DAY_MS };
  throw new OkaError<MemoryErrorCode>(
    'memory.invalid',
    `Invalid day "${day}": expected a date such as 2026-01-31.`,
    { data: { day } },
  );
}
