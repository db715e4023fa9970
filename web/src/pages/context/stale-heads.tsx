import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, plural } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';

interface StaleHeadsProps {
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
}

const ROW_HEIGHT = 36;
/** The API lists at most so many. */
const MAX_LISTED = 1_000;

/** Every head that is not fresh: its path has changed, it rests on an outdated head, was marked invalid, or its path is gone. */
export function StaleHeads({ chosen, onChoose }: StaleHeadsProps): ReactNode {
  const query = useApi('/v1/context/report');
  return (
    <QueryState query={query}>
      {({ notFresh, heads }) =>
        notFresh.length === 0 ? (
          <EmptyState title="Everything is fresh">
            <p>
              {heads.fresh === 0 ? (
                <>
                  No frames yet. Add a note to a path: <code>echo "…" | oka context put-frame src -</code>
                </>
              ) : (
                `${plural(heads.fresh, 'head')} of the scanned tree.`
              )}
            </p>
          </EmptyState>
        ) : (
          <>
            <VirtualList
              label="Stale heads"
              items={notFresh}
              keyOf={({ path, type }) => `${type} ${path}`}
              row={({ path, type, state }) => (
                <button
                  type="button"
                  className="stale-row"
                  onClick={() => onChoose(path === '' ? '.' : path)}
                >
                  <StatusMark status={state} look="plain" />
                  <span className="ellipsis">{path === '' ? './' : path}</span>
                  <span className="muted">{type}</span>
                </button>
              )}
              rowHeight={ROW_HEIGHT}
              maxHeight="calc(100vh - 250px)"
              selected={notFresh.findIndex(({ path }) => path === chosen)}
            />
            {notFresh.length === MAX_LISTED && (
              <p className="small muted stale-note">The first {formatCount(MAX_LISTED)} by path.</p>
            )}
          </>
        )
      }
    </QueryState>
  );
}
