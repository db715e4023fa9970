import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { formatCount, plural } from '../../parts/format.ts';
import { NumberText } from '../../parts/number.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';

/** What ran and what it cost since midnight, and whether the ledger was verified. */
export function Today(): ReactNode {
  const query = useApi('/v1/overview');
  return (
    <Section title="Today">
      <Card flush>
        <QueryState query={query}>
          {({ today, ledger }) => (
            <>
              <div className="home-line">
                <span className="ellipsis">
                  Spent on models <span className="muted">· {plural(today.modelCalls, 'call')}</span>
                </span>
                <NumberText value={today.usd} as="money" />
              </div>
              {today.unpriced > 0 && (
                <div className="home-line">
                  <span className="ellipsis">Calls with unknown price</span>
                  <NumberText value={today.unpriced} />
                </div>
              )}
              <div className="home-line">
                <span className="ellipsis">
                  Runs started{' '}
                  {today.failed > 0 && <span className="muted">· {formatCount(today.failed)} failed</span>}
                </span>
                <NumberText value={today.runs} />
              </div>
              <div className="home-line">
                <span className="ellipsis">
                  {ledger.verified === undefined ? (
                    <StatusMark status="pending" look="plain" label="Ledger not verified yet" />
                  ) : (
                    <StatusMark
                      status="ok"
                      look="plain"
                      label={`Ledger verified to event ${formatCount(ledger.verified.seq)}`}
                    />
                  )}
                </span>
                {ledger.verified !== undefined && (
                  <span className="small muted number">
                    <RelativeTime at={ledger.verified.at} />
                  </span>
                )}
              </div>
            </>
          )}
        </QueryState>
      </Card>
    </Section>
  );
}
