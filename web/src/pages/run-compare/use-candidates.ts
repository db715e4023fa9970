import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Problem } from '../../api/problem.ts';
import { readApi, useApi } from '../../api/query.ts';
import { type Candidate, rankCandidates } from './rank-candidates.ts';

const LISTED = 50;
/** Runs of the same goal whose origin is read, to find forks. */
const MAX_READ = 20;
/** A goal can be a page of text; an address cannot. */
const MAX_SEARCHED = 200;

interface Candidates {
  readonly candidates: readonly Candidate[] | undefined;
  readonly error: Problem | null;
  readonly retry: () => void;
}

/** Runs to compare with, the most related first. The list does not tell the origin of a fork, so that is read for each. */
export function useCandidates(id: string, text: string): Candidates {
  const compared = useApi('/v1/runs/{run}', { params: { path: { run: id } } });
  const run = compared.data?.run;
  const goal = run?.goal?.slice(0, MAX_SEARCHED) ?? '';
  const query = { limit: LISTED, ...(text !== '' && { text }) };
  const newest = useApi('/v1/runs', { params: { query } }, { keepPrevious: true });
  const alike = useApi(
    '/v1/runs',
    { params: { query: { limit: LISTED, text: goal } } },
    { enabled: goal !== '' },
  );
  const ids = useMemo(
    () =>
      (alike.data?.items ?? [])
        .filter((one) => one.id !== run?.id && one.goal === run?.goal)
        .slice(0, MAX_READ)
        .map((one) => one.id),
    [alike.data, run],
  );
  const forks = useQuery({
    queryKey: ['/v1/runs', 'forks', run?.id, ids],
    queryFn: async () => {
      const read = await Promise.all(
        ids.map((one) => readApi('/v1/runs/{run}', { params: { path: { run: one } } })),
      );
      return read.filter((one) => one.run.forkedFrom?.run === run?.id).map((one) => one.run.id);
    },
    enabled: ids.length > 0,
  });
  const candidates = useMemo(() => {
    if (run === undefined || newest.data === undefined) return undefined;
    const matching = (alike.data?.items ?? []).filter((one) =>
      (one.goal ?? '').toLowerCase().includes(text.toLowerCase()),
    );
    return rankCandidates(run, [...matching, ...newest.data.items], new Set(forks.data ?? []));
  }, [run, newest.data, alike.data, forks.data, text]);
  return {
    candidates,
    error: compared.error ?? newest.error,
    retry: () => {
      void compared.refetch();
      void newest.refetch();
    },
  };
}
