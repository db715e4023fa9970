import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Answer, useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { ScoreParts } from './score-parts.tsx';

type Hit = Answer<'/v1/memory/search'>['hits'][number];

interface SearchResultsProps {
  readonly query: string;
  readonly filter: { readonly namespace?: string };
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** What a search finds, best first, with the parts of each score. */
export function SearchResults({ query, filter, chosen, onChoose }: SearchResultsProps): ReactNode {
  const found = useApi(
    '/v1/memory/search',
    { params: { query: { query, ...filter, limit: 30 } } },
    { keepPrevious: true },
  );
  return (
    <Card flush>
      <QueryState query={found}>
        {({ hits, notice }) => (
          <>
            {notice !== undefined && <p className="memory-notice small">{notice}</p>}
            {hits.length === 0 && (
              <EmptyState title="Nothing matches.">
                <p>Only letters and digits of the query count. Try fewer or other words.</p>
              </EmptyState>
            )}
            <ol className="memory-hits" aria-label="Results">
              {hits.map((hit) => (
                <li key={`${hit.kind} ${hit.keptId ?? hit.id}`} data-selected={hit.id === chosen}>
                  <HitRow hit={hit} onChoose={onChoose} best={hits[0]?.score ?? 0} />
                </li>
              ))}
            </ol>
          </>
        )}
      </QueryState>
    </Card>
  );
}

interface HitRowProps {
  readonly hit: Hit;
  /** The score of the first hit. */
  readonly best: number;
  readonly onChoose: (id: string) => void;
}

function HitRow({ hit, best, onChoose }: HitRowProps): ReactNode {
  return (
    <div className="memory-hit">
      <div className="row small muted">
        <span className="chip">{hit.kind}</span>
        {hit.stale && <StatusMark status="stale" look="plain" />}
        {hit.unchecked && <StatusMark status="not_checked" look="plain" />}
        <span className="ellipsis">
          {[hit.namespace, hit.conversation, hit.source].filter(Boolean).join(' · ')}
        </span>
        <span className="row-end number">
          <RelativeTime at={hit.at} />
        </span>
      </div>
      <HitText hit={hit} onChoose={onChoose} />
      {hit.partial && <span className="small muted">Part of a long text</span>}
      <ScoreParts score={hit.score} parts={hit.why} best={best} />
    </div>
  );
}

function HitText({ hit, onChoose }: Pick<HitRowProps, 'hit' | 'onChoose'>): ReactNode {
  if (hit.kind === 'fact')
    return (
      <button type="button" className="memory-hit-text memory-clamp" onClick={() => onChoose(hit.id)}>
        {hit.text}
      </button>
    );
  if (hit.kind === 'run')
    return (
      <Link className="memory-hit-text memory-clamp" href={`/runs/${hit.id}`}>
        {hit.text}
      </Link>
    );
  return <p className="memory-text memory-clamp">{hit.text}</p>;
}
