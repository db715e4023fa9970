import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { ErrorState } from './error-state.tsx';

interface QueryStateProps<T> {
  readonly query: Pick<UseQueryResult<T, Problem>, 'data' | 'error' | 'refetch'>;
  readonly children: (data: T) => ReactNode;
}

/** The answer of a read, or its error, or that it loads. An answer stays while it is read again. */
export function QueryState<T>({ query, children }: QueryStateProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className="loading" role="status">
      Loading…
    </div>
  );
}
