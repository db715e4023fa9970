import type { EpochMs } from '../kernel/index.ts';
import { judgeOverlap, type TickAction } from './plan-tick.ts';
import type { Schedule } from './types.ts';

/** Decides about one change of a watched path. Pure, like `planTick`. */
export function planChange(
  schedule: Schedule,
  firing: string,
  plannedAt: EpochMs,
  runningRun?: string,
): readonly TickAction[] {
  const { cursor, policies, queued, inputErased } = schedule;
  const skip = { do: 'skip', firing, plannedAt, count: 1, until: plannedAt, cursor } as const;
  if (inputErased) return [{ ...skip, why: 'input_erased' }];
  // The queued firing runs first and will see this change too.
  const state = { busy: runningRun !== undefined || queued !== undefined, queued: queued !== undefined };
  const ruling = judgeOverlap(policies.overlap, state);
  if (ruling === 'skip') return [{ ...skip, why: 'overlap' }];
  return [{ do: ruling, firing, plannedAt, reason: 'change', cursor }];
}
