import { lazy, type ReactNode, Suspense } from 'react';
import type { GraphNode } from '../../parts/graph-canvas/graph-document.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { GraphForm } from './graph-form.tsx';
import { NodeForm } from './node-form.tsx';
import { NodeRunData } from './node-run-data.tsx';
import { RunPane } from './run-pane.tsx';
import type { Diagnostic } from './use-graph-check.ts';
import type { GraphEditing } from './use-graph-editor.ts';
import type { WatchedRun } from './use-run-data.ts';

const JsonPane = lazy(() => import('./json-pane.tsx'));
const VersionsPane = lazy(() => import('./versions-pane.tsx'));

interface SidePanelProps {
  readonly editing: GraphEditing;
  readonly diagnostics: readonly Diagnostic[];
  readonly schema: unknown;
  readonly node: GraphNode | undefined;
  readonly isNew: boolean;
  readonly run: string;
  readonly watched: WatchedRun | undefined;
  readonly onRun: (run: string) => void;
  readonly onSelect: (node: string | undefined) => void;
}

/** Beside the canvas: the form of the selected node, the text, the runs or the versions. */
export function SidePanel(props: SidePanelProps): ReactNode {
  const { editing, node, isNew, run, watched, onRun, onSelect } = props;
  const { document, text } = editing.state;
  const form = { id: 'form', label: 'Form', content: () => <Form {...props} /> };
  const json = {
    id: 'json',
    label: 'JSON',
    content: () => <JsonPane text={text} onType={editing.type} node={node?.node_id} />,
  };
  const runs = {
    id: 'run',
    label: 'Runs',
    content: () => <RunPane {...{ document, run, watched, onRun, onSelect }} node={node?.node_id} />,
  };
  const versions = {
    id: 'versions',
    label: 'Versions',
    content: () => <VersionsPane document={document} onEdit={editing.edit} />,
  };
  return (
    <aside className="graph-side" aria-label="Details">
      <Suspense fallback={<p className="loading">Loading…</p>}>
        <Tabs label="Details" param="side" tabs={isNew ? [form, json] : [form, json, runs, versions]} />
      </Suspense>
    </aside>
  );
}

function Form({
  editing,
  diagnostics,
  schema,
  node,
  isNew,
  watched,
  onRun,
  onSelect,
}: SidePanelProps): ReactNode {
  const { document } = editing.state;
  const shared = { document, schema, diagnostics, onEdit: editing.edit };
  if (node === undefined) return <GraphForm {...shared} isNew={isNew} />;
  return (
    <>
      <NodeForm key={node.node_id} {...shared} node={node} onSelect={onSelect} />
      {watched !== undefined && <NodeRunData watched={watched} node={node.node_id} onStarted={onRun} />}
    </>
  );
}
