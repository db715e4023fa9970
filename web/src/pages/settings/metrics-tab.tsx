import { lazy, type ReactNode, Suspense } from 'react';
import { type Answer, useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChips } from '../../parts/filter-chips.tsx';
import { formatCount, formatDuration, formatMoney, formatTokens } from '../../parts/format.ts';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { useUrlParam } from '../../state/use-url-param.ts';
import { dayFigures } from './day-figures.ts';

const MetricsChart = lazy(() => import('./metrics-chart.tsx'));
const DAY_MS = 86_400_000;
const PERIODS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
];

type Figures = Answer<'/v1/metrics'>['whole'];

/** How well the work went, from the ledger. */
export function MetricsTab(): ReactNode {
  const [days] = useUrlParam('days');
  const backMs = days === '' ? undefined : Number(days) * DAY_MS;
  const metrics = useApi(
    '/v1/metrics',
    { params: { query: backMs === undefined ? {} : { backMs } } },
    { keepPrevious: true },
  );
  return (
    <div className="stack">
      <FilterChips label="Period" param="days" options={PERIODS} />
      <QueryState query={metrics}>
        {({ whole, days: list }) =>
          whole.started === 0 ? (
            <Card>
              <EmptyState title="Nothing was started in this period" />
            </Card>
          ) : (
            <>
              <Card title="Whole period">
                <Whole figures={whole} />
              </Card>
              <Card title="By day (UTC)">
                <Suspense fallback={<div className="settings-chart" role="status" aria-label="Loading" />}>
                  <MetricsChart days={dayFigures(list)} />
                </Suspense>
              </Card>
            </>
          )
        }
      </QueryState>
    </div>
  );
}

function Whole({ figures }: { readonly figures: Figures }): ReactNode {
  const { completion, corrections, timeToCompletion, cost, contextPack } = figures;
  return (
    <KeyValues
      pairs={[
        ['Started', `${formatCount(figures.started)}, ${formatCount(figures.open)} still open`],
        ['Completed', shareText(completion)],
        ['Corrected by you', shareText(corrections)],
        ['Rejected by the critic', shareText(figures.rework)],
        [
          'Median time',
          timeToCompletion.medianMs === null
            ? undefined
            : `${formatDuration(timeToCompletion.medianMs)}${withoutWaiting(timeToCompletion.medianWithoutWaitingMs)}`,
        ],
        [
          'Cost',
          `${formatMoney(cost.usd)}${cost.unpriced === 0 ? '' : `, ${formatCount(cost.unpriced)} calls without a price`}`,
        ],
        [
          'Model calls',
          `${formatCount(cost.modelCalls)}: ${formatTokens(cost.inputTokens)} tokens in, ${formatTokens(cost.outputTokens)} out`,
        ],
        [
          'Context pack',
          contextPack.medianTokens === null
            ? undefined
            : `${formatTokens(contextPack.medianTokens)} tokens (median)`,
        ],
      ]}
    />
  );
}

function withoutWaiting(ms: number | null): string {
  return ms === null ? '' : `, ${formatDuration(ms)} without waiting for you`;
}

function shareText({ rate, count, n }: { rate: number | null; count: number; n: number }): string {
  if (rate === null) return 'none yet';
  return `${Math.round(rate * 100)} % (${formatCount(count)} of ${formatCount(n)})`;
}
