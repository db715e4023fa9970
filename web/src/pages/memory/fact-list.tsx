import { type ReactNode, useCallback, useMemo } from 'react';
import { useApiPages } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { type Fact, factState } from './fact-state.ts';

interface FactListProps {
  readonly filter: { readonly namespace?: string };
  /** Also expired and replaced facts. */
  readonly all: boolean;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

const PAGE = 100;
const ROW_HEIGHT = 56;

/** Facts, newest first, with j and k to choose one. */
export function FactList({ filter, all, chosen, onChoose }: FactListProps): ReactNode {
  const query = useApiPages('/v1/memory/facts', {
    params: { query: { limit: PAGE, ...filter, ...(all && { all }) } },
  });
  const facts = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const index = facts.findIndex(({ id }) => id === chosen);
  const move = (by: number): void => {
    const next = facts[Math.min(Math.max(index + by, 0), facts.length - 1)];
    if (next !== undefined) onChoose(next.id);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), Escape: () => onChoose('') });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Card flush>
      <QueryState query={query}>
        {() =>
          facts.length === 0 ? (
            <NoFacts isFiltered={filter.namespace !== undefined} />
          ) : (
            <VirtualList
              label="Facts"
              items={facts}
              keyOf={({ id }) => id}
              row={(fact) => <FactRow fact={fact} onChoose={onChoose} />}
              rowHeight={ROW_HEIGHT}
              maxHeight="calc(100vh - 270px)"
              selected={index}
              onNearEnd={loadMore}
            />
          )
        }
      </QueryState>
    </Card>
  );
}

function FactRow({
  fact,
  onChoose,
}: {
  readonly fact: Fact;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const state = factState(fact, Date.now());
  return (
    <button type="button" className="memory-row" onClick={() => onChoose(fact.id)}>
      <span className="ellipsis memory-row-text">{fact.text}</span>
      <span className="memory-row-facts small muted">
        {state !== 'valid' && <StatusMark status={state} look="plain" />}
        <span>{fact.namespace}</span>
        <span>importance {fact.importance}</span>
        <span className="memory-optional">confidence {percent(fact.confidence)}</span>
        {fact.source !== undefined && <span className="ellipsis memory-optional">{fact.source}</span>}
        <span className="row-end number">
          <RelativeTime at={fact.at} />
        </span>
      </span>
    </button>
  );
}

function NoFacts({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState title="No fact in this namespace." />;
  return (
    <EmptyState title="No facts yet">
      <p>
        Add one above, or in a terminal: <code>oka memory fact add "Ada prefers tea"</code>
      </p>
      <p className="small">Agents add facts too, with the tool memory.remember.</p>
    </EmptyState>
  );
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;
