import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RunLine } from '../../parts/run-line.tsx';
import { Section } from '../../parts/section.tsx';

const SHOWN = 8;
const OPEN = ['pending', 'running', 'interrupted', 'waiting'] as const;

export function RunningNow(): ReactNode {
  const query = useApi('/v1/runs', {
    params: { query: { status: [...OPEN], rootsOnly: true, limit: SHOWN } },
  });
  return (
    <Section title="Unfinished" more={{ label: 'All runs', href: '/runs' }}>
      <Card flush>
        <QueryState query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="home-nothing">Nothing is running or waiting.</p>
            ) : (
              items.map((run) => <RunLine key={run.id} run={run} />)
            )
          }
        </QueryState>
      </Card>
    </Section>
  );
}
