import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useLedgerEvents } from '../../api/live.ts';
import type { Problem } from '../../api/problem.ts';
import { apiKey, queryClient, readApi } from '../../api/query.ts';
import type { Fields, RunEvent } from './record/types.ts';

const PAGE = 1_000;
const FLUSH_MS = 200;
const PATH = '/v1/runs/{run}/events';

interface Loaded {
  readonly events: readonly RunEvent[];
  /** Where the last page starts, which is read again for what is new. */
  readonly cursor?: string;
  readonly isComplete: boolean;
}

interface RunEvents {
  /** Missing until the first page is there. */
  readonly events?: readonly RunEvent[];
  readonly isComplete: boolean;
  readonly error?: Problem;
  readonly retry: () => void;
}

/** The events of a run and its descendants. What is known is not read again: events do not change. */
export function useRunEvents(run: string): RunEvents {
  const key = apiKey(PATH, { params: { path: { run } } });
  const { data, error, refetch } = useQuery<Loaded, Problem>({
    queryKey: key,
    queryFn: async () => {
      let known = queryClient.getQueryData<Loaded>(key) ?? { events: [], isComplete: false };
      for (;;) {
        const query = { limit: PAGE, ...(known.cursor !== undefined && { cursor: known.cursor }) };
        const page = await readApi(PATH, { params: { path: { run }, query } });
        known = append(known, page.items, page.next);
        if (page.next === undefined) return known;
        queryClient.setQueryData(key, known);
      }
    },
    // Comparing tens of thousands of events would take longer than reading them.
    structuralSharing: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useDescendants(data?.events, refetch);
  return {
    ...(data !== undefined && { events: data.events }),
    isComplete: data?.isComplete ?? false,
    ...(error !== null && { error }),
    retry: () => void refetch(),
  };
}

function append(known: Loaded, items: readonly RunEvent[], next: string | undefined): Loaded {
  const last = known.events.at(-1)?.seq ?? 0;
  const fresh = items.filter(({ seq }) => seq > last);
  return {
    events: fresh.length === 0 ? known.events : [...known.events, ...fresh],
    ...((next ?? known.cursor) !== undefined && { cursor: (next ?? known.cursor) as string }),
    isComplete: next === undefined,
  };
}

/** Live updates know a run and its root. Events of descendants of a run that is not a root are followed here. */
function useDescendants(events: readonly RunEvent[] | undefined, read: () => unknown): void {
  const known = useRef<{ readonly streams: Set<string>; count: number }>({ streams: new Set(), count: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useCallback(() => {
    timer.current = undefined;
    read();
  }, [read]);
  useLedgerEvents((event) => {
    const { streams } = known.current;
    for (const { stream } of (events ?? []).slice(known.current.count)) streams.add(stream);
    known.current.count = events?.length ?? 0;
    const lineage = ((event.data as Fields)['lineage'] ?? {}) as Fields;
    if (streams.has(event.stream) || streams.has(`run/${String(lineage['parent'])}`))
      timer.current ??= setTimeout(flush, FLUSH_MS);
  });
}
