import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { useApiPages } from '../../api/query.ts';
import type { ApprovalView } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { plural } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { RequestCard } from '../../request/request-card.tsx';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { InboxRow } from './inbox-row.tsx';
import { nextOf } from './next-of.ts';

const isWide = (): boolean => window.matchMedia('(min-width: 761px)').matches;

/** The open requests, and the selected one in full. The selection is in the address. */
export function Inbox(): ReactNode {
  const query = useApiPages('/v1/approvals', { params: { query: { status: ['pending'], limit: 100 } } });
  const [selected, select] = useUrlParam('selected');
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items), [query.data]);
  const first = items?.[0]?.id;
  // The first one is shown, and stays when others arrive: what is shown changes only by a person.
  useEffect(() => {
    if (selected === '' && first !== undefined && isWide()) select(first);
  }, [selected, first, select]);
  const move = (by: number): void => {
    const next = items && nextOf(items, selected, by);
    if (next !== undefined) select(next.id);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return (
    <QueryState query={query}>
      {() => (
        <div className={`inbox ${selected === '' ? '' : 'inbox-open'}`}>
          <div className="inbox-list">
            <InboxList items={items ?? []} selected={selected} />
            {query.hasNextPage && (
              <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Show more
              </Button>
            )}
          </div>
          {selected !== '' && (
            <div className="inbox-detail">
              <Link className="link inbox-back" href="/approvals">
                ← All that waits
              </Link>
              <RequestCard key={selected} id={selected} keys />
            </div>
          )}
        </div>
      )}
    </QueryState>
  );
}

interface InboxListProps {
  readonly items: readonly ApprovalView[];
  readonly selected: string;
}

function InboxList({ items, selected }: InboxListProps): ReactNode {
  if (items.length === 0)
    return (
      <Card>
        <EmptyState title="Nothing waits for you">
          <p>Runs ask here before they do what your policy does not allow by itself.</p>
          <p>
            To see it: <code>{`oka tools call process.run '{"argv":["ls"]}' --no-input`}</code>
          </p>
        </EmptyState>
      </Card>
    );
  return (
    <Card
      flush
      title={<span role="status">{plural(items.length, 'request')}</span>}
      actions={
        <span className="small muted inbox-keys">
          <kbd>j</kbd> <kbd>k</kbd> move
        </span>
      }
    >
      <ul className="inbox-rows">
        {items.map((item) => (
          <InboxRow key={item.id} approval={item} isSelected={item.id === selected} />
        ))}
      </ul>
    </Card>
  );
}
