import { useQueries } from '@tanstack/react-query';
import { apiKey, readApi } from '../../api/query.ts';
import type { ScheduleItem } from '../../api/types.ts';
import type { Planned } from './calendar.ts';

/** Every 15 minutes for a month. Denser schedules are shown up to here, and said to have more. */
const LIMIT = 3_000;

interface PlannedFirings {
  readonly planned: readonly Planned[];
  /** Schedules that fire more often than was asked for, with the last known time. */
  readonly denser: readonly Planned[];
  readonly isLoading: boolean;
  readonly error?: unknown;
}

/** The firings of all enabled schedules between two times. */
export function usePlanned(
  schedules: readonly ScheduleItem[],
  { from, until }: { readonly from: number; readonly until: number },
): PlannedFirings {
  const timed = schedules.filter(({ enabled, cron, problem }) => enabled && cron !== undefined && !problem);
  const results = useQueries({
    queries: timed.map(({ cron = '', zone, dst }) => {
      const input = {
        params: {
          query: {
            cron,
            ...(zone !== undefined && { zone }),
            ...(dst === 'skip' && { dst: 'skip' as const }),
            after: from,
            until,
            limit: LIMIT,
          },
        },
      };
      return {
        queryKey: apiKey('/v1/schedule-preview', input),
        queryFn: () => readApi('/v1/schedule-preview', input),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const planned: Planned[] = [];
  const denser: Planned[] = [];
  for (const [index, schedule] of timed.entries()) {
    const { next = [], more = false } = results[index]?.data ?? {};
    for (const at of next) planned.push({ schedule, at });
    const last = next.at(-1);
    if (more && last !== undefined) denser.push({ schedule, at: last });
  }
  const error = results.find((result) => result.error !== null)?.error;
  return {
    planned,
    denser,
    isLoading: results.some(({ isPending }) => isPending),
    ...(error !== undefined && { error }),
  };
}
