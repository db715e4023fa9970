// Owns: where a time is on the axis.

import { formatDuration, formatExact } from '../../../parts/format.ts';
import type { TreeRecord } from '../record/types.ts';

export interface TimeScale {
  readonly from: number;
  readonly to: number;
  /** The place of a time, in percent. */
  readonly place: (at: number) => number;
  readonly ticks: readonly string[];
}

const TICKS = 3;
const MINUTE = 60_000;

/** From the start of the run to its end, or to now. */
export function timeScale({ root, events }: TreeRecord, now: number): TimeScale {
  const from = root.startedAt;
  const last = events.at(-1)?.at ?? from;
  const to = Math.max(root.endedAt === undefined ? Math.max(last, now) : last, from + 1);
  const length = to - from;
  const place = (at: number): number => Math.min(100, Math.max(0, (100 * (at - from)) / length));
  const ticks = Array.from({ length: TICKS }, (_, index) => {
    const at = from + (index * length) / (TICKS - 1);
    return length < MINUTE
      ? `${index === 0 ? '' : '+'}${formatDuration(at - from)}`
      : formatExact(at).slice(11);
  });
  return { from, to, place, ticks };
}
