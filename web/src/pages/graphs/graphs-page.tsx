import { type ReactNode, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { plural } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { Section } from '../../parts/section.tsx';
import { useActions } from '../../state/actions.ts';
import { GalleryList } from './gallery-list.tsx';
import { GraphTable } from './graph-table.tsx';
import './graphs.css';

/** The graphs of the workspace, and the examples to start from. */
export default function GraphsPage(): ReactNode {
  const graphs = useApi('/v1/graphs');
  const gallery = useApi('/v1/graph-gallery');
  const [, navigate] = useLocation();
  useActions(
    useMemo(
      () => [{ id: 'graphs.new', label: 'Create a graph', run: () => navigate('/graphs/new') }],
      [navigate],
    ),
  );
  const count = graphs.data?.length;
  return (
    <Page
      title="Graphs"
      facts={<span role="status">{count === undefined ? 'Loading…' : plural(count, 'graph')}</span>}
      actions={
        <Button look="primary" onClick={() => navigate('/graphs/new')}>
          New graph
        </Button>
      }
    >
      <div className="stack">
        <Card flush>
          <QueryState query={graphs}>
            {(items) => (items.length === 0 ? <NoGraphs /> : <GraphTable graphs={items} />)}
          </QueryState>
        </Card>
        <Section title="Templates" note={<span className="muted small">Examples that come with Oka</span>}>
          <QueryState query={gallery}>{(examples) => <GalleryList examples={examples} />}</QueryState>
        </Section>
      </div>
    </Page>
  );
}

function NoGraphs(): ReactNode {
  return (
    <EmptyState title="No graphs yet">
      <p>
        <Link className="link" href="/graphs/new">
          Draw one
        </Link>
        , start from a template below, or describe it: <code>oka graph build "…"</code>
      </p>
    </EmptyState>
  );
}
