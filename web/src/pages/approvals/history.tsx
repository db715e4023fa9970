import { type ReactNode, useCallback, useMemo } from 'react';
import { Link } from 'wouter';
import { requestLine } from '../../../../src/api/describe-request.ts';
import { useApiPages } from '../../api/query.ts';
import type { ApprovalView } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';

const DECIDED = ['approved', 'denied', 'answered', 'expired', 'withdrawn'] as const;
const ROW_HEIGHT = 40;

/** Who decided what and when, the newest request first. */
export function History(): ReactNode {
  const query = useApiPages('/v1/approvals', { params: { query: { status: [...DECIDED], limit: 100 } } });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <div className="decisions">
      <Card flush>
        <QueryState query={query}>
          {() =>
            items.length === 0 ? (
              <EmptyState title="No decisions yet">
                <p>Every approval, denial and answer is listed here, with who made it.</p>
              </EmptyState>
            ) : (
              <>
                <div className="decision-row decision-row-head" aria-hidden="true">
                  <span>Decision</span>
                  <span>Request</span>
                  <span className="decision-by">By</span>
                  <span className="number">When</span>
                </div>
                <VirtualList
                  label="Decisions"
                  items={items}
                  keyOf={({ id }) => id}
                  row={(item) => <DecisionRow approval={item} />}
                  rowHeight={ROW_HEIGHT}
                  maxHeight="calc(100vh - 240px)"
                  onNearEnd={loadMore}
                />
              </>
            )
          }
        </QueryState>
      </Card>
    </div>
  );
}

function DecisionRow({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { id, status, decidedBy, decidedAt, requestedAt, answer, reason, requestedArguments } = approval;
  const note = answer ?? reason ?? (requestedArguments === undefined ? undefined : 'edited');
  return (
    <div className="decision-row">
      <StatusMark status={status} look="plain" />
      <Link className="ellipsis decision-what" href={`/approvals/${id}`} title={requestLine(approval)}>
        {requestLine(approval)}
        {note !== undefined && <span className="muted"> · {note}</span>}
      </Link>
      <span className="ellipsis muted decision-by">{decidedBy ?? '–'}</span>
      <span className="muted number">
        <RelativeTime at={decidedAt ?? requestedAt} />
      </span>
    </div>
  );
}
