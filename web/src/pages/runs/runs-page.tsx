import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RunListItem } from '../../api/types.ts';
import { Page } from '../../frame/page.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { Checkbox } from '../../parts/field.tsx';
import { FilterChips } from '../../parts/filter-chips.tsx';
import { plural } from '../../parts/format.ts';
import { SearchBox } from '../../parts/search-box.tsx';
import { statusWord } from '../../parts/status-mark.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useActions } from '../../state/actions.ts';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { RunRow } from './run-row.tsx';
import { type LiveRuns, useLiveRuns } from './use-live-runs.ts';
import './runs.css';

const STATUSES = ['running', 'interrupted', 'waiting', 'paused', 'failed', 'completed', 'cancelled'] as const;
const OPTIONS = STATUSES.map((value) => ({ value, label: statusWord(value) }));

/** Every run, newest first, live. The filter is in the address. */
export default function RunsPage(): ReactNode {
  const [status, setStatus] = useUrlParam('status');
  const [text, setText] = useUrlParam('text');
  const [children, setChildren] = useUrlParam('children');
  const rootsOnly = children === '';
  const filter = useMemo(() => ({ status, text, rootsOnly }), [status, text, rootsOnly]);
  const runs = useLiveRuns(filter);
  useActions(
    useMemo(
      () => [
        { id: 'runs.all', label: 'Show all runs', run: () => setStatus('') },
        ...OPTIONS.map(({ value, label }) => ({
          id: `runs.${value}`,
          label: `Show runs: ${label.toLowerCase()}`,
          keywords: ['filter'],
          run: () => setStatus(value),
        })),
      ],
      [setStatus],
    ),
  );
  return (
    <Page title="Runs" width="wide">
      <div className="stack">
        <div className="runs-filters">
          <SearchBox label="Search goals" value={text} onChange={setText} />
          <FilterChips label="Status" param="status" options={OPTIONS} />
          <Checkbox
            label="Child runs"
            checked={!rootsOnly}
            onChange={(event) => setChildren(event.target.checked ? 'yes' : '')}
          />
          <span className="row-end small muted">{countText(runs)}</span>
        </div>
        <Card flush>
          {runs.error !== undefined && <ErrorState error={runs.error} onRetry={runs.retry} />}
          {runs.items?.length === 0 && <NoRuns isFiltered={status !== '' || text !== ''} />}
          {runs.items !== undefined && runs.items.length > 0 && (
            <RunList key={`${status} ${text}`} items={runs.items} onNearEnd={runs.loadMore} />
          )}
        </Card>
      </div>
    </Page>
  );
}

function countText({ items, hasMore }: Pick<LiveRuns, 'items' | 'hasMore'>): string {
  if (items === undefined) return 'Loading…';
  return hasMore ? `first ${plural(items.length, 'run')}` : plural(items.length, 'run');
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState title="No run matches the filter" />;
  return (
    <EmptyState title="No runs yet">
      <p>
        Give a goal on{' '}
        <Link className="link" href="/">
          Home
        </Link>
        , or run a graph.
      </p>
    </EmptyState>
  );
}

const ROW_HEIGHT = 40;

interface RunListProps {
  readonly items: readonly RunListItem[];
  readonly onNearEnd: () => void;
}

/** The list with j, k and Enter. The selection stays on its run while others arrive. */
function RunList({ items, onNearEnd }: RunListProps): ReactNode {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<string>();
  const index = items.findIndex(({ id }) => id === selected);
  const move = (by: number): void =>
    setSelected(items[Math.min(Math.max(index + by, 0), items.length - 1)]?.id);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => selected !== undefined && navigate(`/runs/${selected}`),
  });
  const row = useCallback((run: RunListItem) => <RunRow run={run} />, []);
  return (
    <>
      <div className="run-row run-row-head" aria-hidden="true">
        <span>Status</span>
        <span>Goal</span>
        <span>Id</span>
        <span className="run-kind">Kind</span>
        <span className="number">Started</span>
        <span className="number run-took">Took</span>
      </div>
      <VirtualList
        label="Runs"
        items={items}
        keyOf={({ id }) => id}
        row={row}
        rowHeight={ROW_HEIGHT}
        maxHeight="var(--runs-height)"
        selected={index}
        onNearEnd={onNearEnd}
      />
    </>
  );
}
