import type { InfiniteData } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { useLedgerEvents } from '../../api/live.ts';
import { touches } from '../../api/live-updates.ts';
import { type Answer, type Input, pagesKey, queryClient, readApi, useApiPages } from '../../api/query.ts';
import type { RunListItem } from '../../api/types.ts';
import { mergeRuns, type RunFilter } from './merge-runs.ts';

const PAGE = 200;
const FRESH = 50;
const FLUSH_MS = 250;

type Pages = InfiniteData<Answer<'/v1/runs'>, string | undefined>;

export interface LiveRuns {
  /** Missing until the first page is there. */
  readonly items?: readonly RunListItem[];
  readonly hasMore: boolean;
  readonly error?: unknown;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/**
 * Runs page by page. An event does not read all pages again, which could be hundreds: the changed runs are read with the newest ones
 * and put into their places.
 */
export function useLiveRuns(filter: RunFilter): LiveRuns {
  const input = useMemo(() => inputOf(filter), [filter]);
  const query = useApiPages('/v1/runs', input, { live: 'own' });
  const { fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query;
  useChangedRuns(input, filter);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items), [query.data]);
  return {
    ...(items !== undefined && { items }),
    hasMore: hasNextPage,
    ...(query.error !== null && items === undefined && { error: query.error }),
    loadMore,
    retry: () => void refetch(),
  };
}

function inputOf({ status, text, rootsOnly }: RunFilter): Input<'/v1/runs'> {
  const chosen = status === '' ? {} : { status: [status as RunListItem['status']] };
  return { params: { query: { limit: PAGE, rootsOnly, ...chosen, ...(text !== '' && { text }) } } };
}

/** Beyond this many changed runs, reading the pages again is less work. */
const MAX_SINGLE = 30;

/** Follows the ledger and puts changed runs into the loaded pages, many events at once. */
function useChangedRuns(input: Input<'/v1/runs'>, filter: RunFilter): void {
  const changed = useRef(new Set<string>());
  const isReading = useRef(false);
  const key = pagesKey('/v1/runs', input);
  const flush = async (): Promise<void> => {
    const ids = [...changed.current];
    changed.current.clear();
    try {
      const runs = await readChanged(ids, input);
      if (runs === undefined) await queryClient.invalidateQueries({ queryKey: key, exact: true });
      else queryClient.setQueryData<Pages>(key, (pages) => pages && mergePages(pages, runs, filter));
    } catch {
      // The query itself shows why it cannot be read.
      await queryClient.invalidateQueries({ queryKey: key, exact: true });
    }
  };
  const schedule = (): void => {
    if (isReading.current) return;
    isReading.current = true;
    setTimeout(() => {
      void flush().finally(() => {
        isReading.current = false;
        if (changed.current.size > 0) schedule();
      });
    }, FLUSH_MS);
  };
  useLedgerEvents((event) => {
    if (!touches(event, ['/v1/runs'])) return;
    for (const id of [event.run, event.root]) if (id !== undefined) changed.current.add(id);
    schedule();
  });
}

/** The changed runs as they are now, or nothing if they are too many to be read one by one. */
async function readChanged(
  ids: readonly string[],
  input: Input<'/v1/runs'>,
): Promise<readonly RunListItem[] | undefined> {
  const query = { ...input.params?.query, limit: FRESH };
  const { items } = await readApi('/v1/runs', { params: { query } });
  const rest = ids.filter((id) => !items.some((item) => item.id === id));
  if (rest.length > MAX_SINGLE) return undefined;
  const singles = await Promise.all(
    rest.map((run) => readApi('/v1/runs/{run}', { params: { path: { run } } })),
  );
  return [...items, ...singles.map(({ run }) => toListItem(run))];
}

function toListItem({ failure, ...run }: Answer<'/v1/runs/{run}'>['run']): RunListItem {
  return { ...run, ...(failure !== undefined && { failureCode: failure.code }) };
}

/** Puts all runs into the first page: only the cursor of the last page counts for reading on. */
function mergePages(data: Pages, runs: readonly RunListItem[], filter: RunFilter): Pages {
  const [first, ...others] = data.pages;
  if (first === undefined) return data;
  const isComplete = data.pages.at(-1)?.next === undefined;
  const loaded = data.pages.flatMap((page) => page.items);
  const items = [...mergeRuns(loaded, { runs, filter, isComplete })];
  return { ...data, pages: [{ ...first, items }, ...others.map((page) => ({ ...page, items: [] }))] };
}
