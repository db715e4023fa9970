import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { Section } from '../../parts/section.tsx';
import { WaitingItem } from './waiting-item.tsx';

const SHOWN = 5;

/** Approvals and questions. Nothing is shown while nothing waits. */
export function WaitingForYou(): ReactNode {
  const query = useApi('/v1/approvals', { params: { query: { status: ['pending'], limit: SHOWN } } });
  const { approvals = query.data?.items.length ?? 0 } = useApi('/v1/overview').data ?? {};
  if (query.data?.items.length === 0 || (query.data === undefined && query.error === null)) return null;
  return (
    <Section
      title="Waiting for you"
      note={<span className="chip tone-wait">{approvals}</span>}
      more={{ label: 'All approvals', href: '/approvals' }}
    >
      <div className="card card-wait">
        <QueryState query={query}>
          {({ items }) => items.map((item) => <WaitingItem key={item.id} approval={item} />)}
        </QueryState>
      </div>
    </Section>
  );
}
