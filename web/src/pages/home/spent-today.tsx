import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { plural } from '../../parts/format.ts';
import { NumberText } from '../../parts/number.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { Section } from '../../parts/section.tsx';

/** What models cost since midnight. */
export function SpentToday(): ReactNode {
  const [since] = useState(() => new Date().setHours(0, 0, 0, 0));
  const query = useApi('/v1/metrics', { params: { query: { since } } });
  return (
    <Section title="Today">
      <Card flush>
        <QueryState query={query}>
          {({ whole: { cost } }) => (
            <div className="home-line">
              <span className="ellipsis">
                Spent on models <span className="muted">· {plural(cost.modelCalls, 'call')}</span>
              </span>
              <NumberText value={cost.usd} as="money" />
            </div>
          )}
        </QueryState>
      </Card>
    </Section>
  );
}
