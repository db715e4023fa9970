import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import { type Answer, useApi } from '../../api/query.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { readGraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { nodeRuns, visitedNodes } from './record/graph-path.ts';
import type { ViewProps } from './view-props.ts';

const GraphCanvas = lazy(() => import('../../parts/graph-canvas/graph-canvas.tsx'));

/** The graph with the path of the run up to the chosen moment. */
export function GraphTab(view: ViewProps & { readonly graph: string }): ReactNode {
  const query = useApi('/v1/graphs/{graph}', { params: { path: { graph: view.graph } } });
  return <QueryState query={query}>{(shown) => <Drawing {...view} shown={shown} />}</QueryState>;
}

interface DrawingProps extends ViewProps {
  readonly graph: string;
  readonly shown: Answer<'/v1/graphs/{graph}'>;
}

function Drawing({ answer, moment: { tree }, selection, graph, shown }: DrawingProps): ReactNode {
  const { run } = answer;
  const changed = useApi('/v1/runs/{run}/repin-differences', { params: { path: { run: run.id } } });
  const document = useMemo(() => readGraphDocument(shown.definition), [shown.definition]);
  const runs = useMemo(() => nodeRuns(tree.root), [tree]);
  const visited = useMemo(() => visitedNodes(tree.root, document?.start), [tree, document]);
  if (document === undefined)
    return (
      <EmptyState title="The graph cannot be drawn">
        <Link className="link" href={`/graphs/${graph}`}>
          Open the graph
        </Link>
      </EmptyState>
    );
  const select = (node: string | undefined): void =>
    selection.choose(tree.root.steps.findLast(({ state }) => state === node)?.key ?? '');
  const isChanged = (changed.data?.length ?? 0) > 0;
  return (
    <>
      {isChanged && (
        <p className="run-graph-note small" role="status">
          The graph has changed since this run: {changed.data?.join('; ')}. The drawing is the graph as it is
          now.
        </p>
      )}
      <div className="run-graph">
        <Suspense fallback={<p className="loading">Loading…</p>}>
          <GraphCanvas
            graph={document}
            runs={runs}
            visited={visited}
            selected={selection.step?.state}
            onSelect={select}
            label={`Path of the run in ${graph}`}
          />
        </Suspense>
      </div>
    </>
  );
}
