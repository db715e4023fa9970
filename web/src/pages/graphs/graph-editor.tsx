import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useApi } from '../../api/query.ts';
import GraphCanvas from '../../parts/graph-canvas/graph-canvas.tsx';
import { kindOf } from '../../parts/graph-canvas/node-kinds.ts';
import { useActions } from '../../state/actions.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { ConflictBanner } from './conflict-banner.tsx';
import { addNode, connect, disconnect, removeNodes } from './document/edit-document.ts';
import { nodeTypesOf } from './document/form-fields.ts';
import { EditorBar } from './editor-bar.tsx';
import { NodePalette } from './node-palette.tsx';
import { ProblemList } from './problem-list.tsx';
import { RunDialog } from './run-dialog.tsx';
import { SidePanel } from './side-panel.tsx';
import { useEditorKeys } from './use-editor-keys.ts';
import { useGraphCheck } from './use-graph-check.ts';
import { type GraphFile, useGraphEditor } from './use-graph-editor.ts';
import { useRunData } from './use-run-data.ts';
import './graph-editor.css';

interface GraphEditorProps {
  /** The address of the editor, under which unsaved edits are kept. */
  readonly place: string;
  readonly file: GraphFile;
  /** Reads the file again, because a save found it changed. */
  readonly onConflict: () => void;
  /** Called after the first save of a new graph. */
  readonly onCreated?: (id: string, run?: string) => void;
  /** Graphs that a new graph calls and that are saved before it. */
  readonly also?: readonly string[];
  readonly saveAlso?: (then: () => void) => void;
}

/** Canvas, JSON and forms on one document. */
export function GraphEditor({
  place,
  file,
  onConflict,
  onCreated,
  also,
  saveAlso,
}: GraphEditorProps): ReactNode {
  const editing = useGraphEditor(place, file, onConflict);
  const { edit, undo, redo } = editing;
  const { document, textProblem } = editing.state;
  const [chosen, choose] = useUrlParam('node');
  const [run, setRun] = useUrlParam('run');
  const [isRunning, setRunning] = useState(false);
  const check = useGraphCheck(document, also);
  const schema = useApi('/v1/graph-schema').data;
  const watched = useRunData(document, run);
  const isNew = file.revision === undefined;
  const node = document.nodes.find(({ node_id }) => node_id === chosen);
  const types = useMemo(() => nodeTypesOf(schema), [schema]);
  const select = (id: string | undefined): void => choose(id ?? '');
  const add = (type: string): void => {
    const added = addNode(document, type, node?.node_id);
    edit(added.document);
    choose(added.id);
  };
  const save = (then?: () => void): void => {
    if (textProblem !== undefined || document.id === '') return;
    const write = (): void => editing.save((id) => (then === undefined ? onCreated?.(id) : then()));
    if (saveAlso === undefined) write();
    else saveAlso(write);
  };
  useEditorKeys({ undo, redo, save: () => editing.isChanged && save() });
  useUnloadWarning(editing.isChanged && !(isNew && editing.state.past.length === 0));
  usePaletteActions({ add, save, undo, run: () => setRunning(true) }, types);
  const edits = useMemo(
    () => ({
      onConnect: (from: string, port: string, to: string) => edit(connect(document, from, port, to)),
      onDisconnect: (from: string, port: string) => edit(disconnect(document, from, port)),
      onDelete: (ids: readonly string[]) => edit(removeNodes(document, ids)),
    }),
    [document, edit],
  );
  return (
    <div className="graph-editor">
      <EditorBar
        editing={editing}
        check={check}
        isNew={isNew}
        also={also}
        onRun={() => setRunning(true)}
        onSave={() => save()}
      />
      {editing.conflict !== undefined && (
        <ConflictBanner
          mine={document}
          theirs={editing.conflict.document}
          onTakeTheirs={editing.takeTheirs}
          onSaveMine={editing.saveOverTheirs}
        />
      )}
      <div className="graph-work">
        <NodePalette types={types} after={node?.node_id} onAdd={add} />
        <div className="graph-stage">
          <GraphCanvas
            graph={document}
            problems={check.byNode}
            selected={node?.node_id}
            onSelect={select}
            edit={edits}
            label={`Drawing of ${document.id || 'the graph'}`}
            {...(watched !== undefined && { runs: watched.runs, visited: watched.visited })}
          />
          <ProblemList
            document={document}
            diagnostics={check.diagnostics}
            textProblem={textProblem}
            onSelect={select}
            onEdit={edit}
          />
        </div>
        <SidePanel
          editing={editing}
          diagnostics={check.diagnostics}
          schema={schema}
          node={node}
          isNew={isNew}
          run={run}
          watched={watched}
          onRun={setRun}
          onSelect={select}
        />
      </div>
      {isRunning && (
        <RunDialog
          document={document}
          isChanged={editing.isChanged}
          save={save}
          onStarted={(id) => (isNew ? onCreated?.(document.id, id) : setRun(id))}
          onClose={() => setRunning(false)}
        />
      )}
    </div>
  );
}

/** Asks before the window closes with unsaved edits. */
function useUnloadWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [isChanged]);
}

interface PaletteActions {
  readonly add: (type: string) => void;
  readonly save: () => void;
  readonly undo: () => void;
  readonly run: () => void;
}

function usePaletteActions(actions: PaletteActions, types: readonly { readonly type: string }[]): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useActions(
    useMemo(
      () => [
        { id: 'graph.save', label: 'Save the graph', shortcut: 'Ctrl S', run: () => latest.current.save() },
        { id: 'graph.run', label: 'Run the graph', run: () => latest.current.run() },
        {
          id: 'graph.undo',
          label: 'Undo the last edit',
          shortcut: 'Ctrl Z',
          run: () => latest.current.undo(),
        },
        ...types
          .filter(({ type }) => type !== 'start')
          .map(({ type }) => ({
            id: `graph.add.${type}`,
            label: `Add a node: ${kindOf(type).label}`,
            run: () => latest.current.add(type),
          })),
      ],
      [types],
    ),
  );
}
