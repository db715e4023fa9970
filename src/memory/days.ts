import { type EpochMs, OkaError } from '../kernel/index.ts';
import type { MemoryErrorCode } from './types.ts';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day of a moment, in UTC, as in 2026-01-31. */
export function dayOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Where a day begins and ends, in UTC. */
export function parseDay(day: string): { readonly from: EpochMs; readonly to: EpochMs } {
  const from = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isFinite(from) && dayOf(from) === day) return { from, to: from + DAY_MS };
  const code: MemoryErrorCode = 'memory.invalid';
  throw new OkaError(code, `"${day}" is not a day; write it as in 2026-01-31.`, { data: { day } });
}
