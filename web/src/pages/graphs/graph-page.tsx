import { type ReactNode, useMemo } from 'react';
import { useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import type { PageProps } from '../../frame/page-entry.ts';
import { Card } from '../../parts/card.tsx';
import { CodeView } from '../../parts/code-view.tsx';
import { readGraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { GraphEditor } from './graph-editor.tsx';

const CRUMBS = [{ label: 'Graphs', href: '/graphs' }];

/** One graph in the editor. */
export default function GraphPage({ params }: PageProps): ReactNode {
  const graph = params['graph'] ?? '';
  const query = useApi('/v1/graphs/{graph}', { params: { path: { graph } } });
  const { data } = query;
  const file = useMemo(() => {
    const document = readGraphDocument(data?.definition);
    return document && data && { document, revision: data.revision };
  }, [data]);
  if (file !== undefined)
    return (
      <Page title={graph} crumbs={CRUMBS} width="full">
        <GraphEditor
          key={graph}
          place={`/graphs/${graph}`}
          file={file}
          onConflict={() => void query.refetch()}
        />
      </Page>
    );
  return (
    <Page title={graph} crumbs={CRUMBS}>
      <QueryState query={query}>
        {({ path, diagnostics }) => (
          <Card title="This file cannot be drawn as a graph">
            <div className="stack">
              <p>
                Correct <code>{path}</code> in an editor. This page follows the file.
              </p>
              {diagnostics.map(({ code, path: at, message, line }) => (
                <div key={`${code} ${at}`} className="row">
                  <StatusMark status="error" />
                  <span>{line === undefined ? message : `Line ${line}: ${message}`}</span>
                </div>
              ))}
              <CodeView label="Command" code={`oka graph validate ${graph}`} />
            </div>
          </Card>
        )}
      </QueryState>
    </Page>
  );
}
