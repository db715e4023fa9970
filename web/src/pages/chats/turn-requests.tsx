import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { RequestCard } from '../../request/request-card.tsx';

/** What a turn asks the person, decided here. */
export function TurnRequests({ run }: { readonly run: string }): ReactNode {
  const { data } = useApi('/v1/approvals', { params: { query: { status: ['pending'], run, limit: 20 } } });
  return data?.items.map(({ id }) => <RequestCard key={id} id={id} />);
}
