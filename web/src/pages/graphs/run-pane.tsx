import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/query.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SelectField } from '../../parts/field.tsx';
import { formatRelative, shortId } from '../../parts/format.ts';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { kindOf } from '../../parts/graph-canvas/node-kinds.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark, shownStatus, statusWord } from '../../parts/status-mark.tsx';
import { NodeRunData } from './node-run-data.tsx';
import type { WatchedRun } from './use-run-data.ts';

interface RunPaneProps {
  readonly document: GraphDocument;
  readonly run: string;
  readonly watched: WatchedRun | undefined;
  readonly node: string | undefined;
  readonly onRun: (run: string) => void;
  readonly onSelect: (node: string) => void;
}

/** The runs of the graph, and the path of the chosen one. */
export function RunPane({ document, run, watched, node, onRun, onSelect }: RunPaneProps): ReactNode {
  const query = useApi('/v1/runs', { params: { query: { graph: document.id, limit: 20 } } });
  return (
    <QueryState query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState title="No runs of this graph yet">
            <p>
              Run it with the button above, or with: <code>oka graph run {document.id}</code>
            </p>
          </EmptyState>
        ) : (
          <div className="graph-form">
            <SelectField
              label="Show the data of"
              value={run}
              options={[
                { value: '', label: 'No run' },
                ...(items.some(({ id }) => id === run) || run === ''
                  ? []
                  : [{ value: run, label: shortId(run) }]),
                ...items.map(({ id, status, startedAt }) => ({
                  value: id,
                  label: `${shortId(id)} · ${statusWord(status)} · ${formatRelative(startedAt, Date.now())}`,
                })),
              ]}
              onChange={(event) => onRun(event.target.value)}
            />
            {watched !== undefined && (
              <Path watched={watched} node={node} onSelect={onSelect} document={document} />
            )}
            {watched !== undefined && node !== undefined && (
              <NodeRunData watched={watched} node={node} onStarted={onRun} />
            )}
          </div>
        )
      }
    </QueryState>
  );
}

interface PathProps {
  readonly document: GraphDocument;
  readonly watched: WatchedRun;
  readonly node: string | undefined;
  readonly onSelect: (node: string) => void;
}

function Path({ document, watched, node, onSelect }: PathProps): ReactNode {
  const { run, visited, runs } = watched;
  const typeOf = new Map(document.nodes.map(({ node_id, type }) => [node_id, type]));
  return (
    <>
      <div className="row">
        <StatusMark status={shownStatus(run)} />
        <Link className="link row-end" href={`/runs/${run.id}`}>
          Open the run
        </Link>
      </div>
      {run.waitingFor !== undefined && (
        <p className="small">
          {run.waitingFor.detail}{' '}
          {run.waitingFor.approval !== undefined && (
            <Link className="link" href="/approvals">
              Decide
            </Link>
          )}
        </p>
      )}
      {run.failure !== undefined && <p className="field-error">{run.failure.message}</p>}
      <ol className="graph-path" aria-label="Path of the run">
        {visited.map((id, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a node may be entered several times.
          <li key={index}>
            <button type="button" aria-pressed={id === node} onClick={() => onSelect(id)}>
              <i className={`canvas-kind canvas-kind-${kindOf(typeOf.get(id) ?? '').tone}`} />
              <span className="ellipsis">{id}</span>
              {typeOf.has(id) ? (
                <span className="muted row-end">{runs.get(id)?.note}</span>
              ) : (
                <span className="muted row-end">no longer in the graph</span>
              )}
            </button>
          </li>
        ))}
      </ol>
      {run.status === 'completed' && <Output run={run.id} />}
    </>
  );
}

function Output({ run }: { readonly run: string }): ReactNode {
  const { data } = useApi('/v1/runs/{run}', { params: { path: { run } } });
  return (
    <details className="small">
      <summary>Output of the run</summary>
      {data !== undefined && <JsonView value={data.output} />}
    </details>
  );
}
