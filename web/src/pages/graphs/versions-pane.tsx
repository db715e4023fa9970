import { type ReactNode, useMemo } from 'react';
import { useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { type GraphDocument, readGraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useUrlParam } from '../../state/use-url-param.ts';
import { documentDiff } from './document-diff.ts';

interface VersionsPaneProps {
  readonly document: GraphDocument;
  readonly onEdit: (document: GraphDocument) => void;
}

/** The kept versions of a saved graph, each with its difference from what the editor shows. Imports the diff library. */
export default function VersionsPane({ document, onEdit }: VersionsPaneProps): ReactNode {
  const graph = document.id;
  const [chosen, choose] = useUrlParam('version');
  const query = useApi('/v1/graphs/{graph}/versions', { params: { path: { graph } } });
  return (
    <QueryState query={query}>
      {(versions) => (
        <div className="graph-form">
          <ul className="graph-versions">
            {versions.map(({ revision, version, at, current }) => (
              <li key={revision}>
                <button
                  type="button"
                  className="graph-version"
                  aria-pressed={revision === chosen}
                  onClick={() => choose(revision === chosen ? '' : revision)}
                >
                  <b>Version {version}</b>
                  {current && <span className="chip">in the file</span>}
                  <span className="muted row-end">
                    <RelativeTime at={at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {chosen === '' ? (
            <p className="small muted">Choose a version to compare it with what the editor shows.</p>
          ) : (
            <Version graph={graph} revision={chosen} document={document} onEdit={onEdit} />
          )}
        </div>
      )}
    </QueryState>
  );
}

interface VersionProps extends VersionsPaneProps {
  readonly graph: string;
  readonly revision: string;
}

function Version({ graph, revision, document, onEdit }: VersionProps): ReactNode {
  const query = useApi('/v1/graphs/{graph}/versions/{revision}', { params: { path: { graph, revision } } });
  const old = useMemo(() => readGraphDocument(query.data?.definition), [query.data]);
  const diff = useMemo(() => (old === undefined ? '' : documentDiff(old, document)), [old, document]);
  return (
    <QueryState query={query}>
      {({ version }) => {
        if (old === undefined) return <EmptyState title="This version is not a graph that can be drawn." />;
        if (diff === '') return <p className="muted">The editor shows exactly this version.</p>;
        return (
          <>
            <div className="row">
              <h2>Changes since version {version}</h2>
              <Button className="row-end" onClick={() => onEdit({ ...old, version: document['version'] })}>
                Load it into the editor
              </Button>
            </div>
            <DiffView diff={diff} label={`Changes since version ${version}`} />
          </>
        );
      }}
    </QueryState>
  );
}
