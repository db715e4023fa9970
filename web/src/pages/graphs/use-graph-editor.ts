// Owns: the document that is edited, what of it is saved, and what happens when the file has changed meanwhile.
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { apiKey, queryClient, useAction } from '../../api/query.ts';
import { type GraphDocument, readGraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { showInfo, showProblem } from '../../state/toasts.ts';
import { setSetting } from './document/edit-document.ts';
import { type EditorState, editorReducer, startEditor, textOf } from './document/editor-state.ts';

/** The graph as it is in its file. */
export interface GraphFile {
  readonly document: GraphDocument;
  /** Missing if it was never saved. */
  readonly revision?: string;
}

export interface GraphEditing {
  readonly state: EditorState;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** What the file has become, if it changed while there are unsaved edits. */
  readonly conflict: GraphFile | undefined;
  readonly edit: (document: GraphDocument, key?: string) => void;
  readonly type: (text: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Calls `then` with the id once the file has the document. */
  readonly save: (then?: (id: string) => void) => void;
  /** Continues with the file as it is now. The own edits stay in the history. */
  readonly takeTheirs: () => void;
  readonly saveOverTheirs: () => void;
}

interface Draft {
  readonly base: GraphFile;
  readonly document: GraphDocument;
}

/** Unsaved edits of graphs whose page was left, until the window closes. */
const drafts = new Map<string, Draft>();

function openDraft(draft: Draft | undefined, file: GraphFile): EditorState {
  const fresh = startEditor((draft?.base ?? file).document);
  return draft === undefined ? fresh : editorReducer(fresh, { kind: 'edit', document: draft.document });
}

/**
 * @param place the address of the editor, under which unsaved edits are kept.
 * @param file what the server says the file is now; it may change at any time.
 */
export function useGraphEditor(place: string, file: GraphFile, onConflict: () => void): GraphEditing {
  const [draft] = useState(() => drafts.get(place));
  const [state, dispatch] = useReducer(editorReducer, file, (first) => openDraft(draft, first));
  const [base, setBase] = useState(draft?.base ?? file);
  const versions = useRef(new Set([String(file.document['version'])]));
  const isChanged = useMemo(
    () =>
      state.textProblem !== undefined ||
      base.revision === undefined ||
      textOf(state.document) !== textOf(base.document),
    [state, base],
  );
  const hasMoved = file.revision !== base.revision && file.revision !== undefined;
  const isTakenOver = hasMoved && !isChanged;
  const follow = useCallback((next: GraphFile) => {
    versions.current.add(String(next.document['version']));
    setBase(next);
  }, []);
  useEffect(() => {
    if (!isTakenOver) return;
    follow(file);
    dispatch({ kind: 'replace', document: file.document });
  }, [isTakenOver, file, follow]);
  useEffect(() => {
    if (isChanged && state.past.length > 0) drafts.set(place, { base, document: state.document });
    else drafts.delete(place);
  }, [place, base, state, isChanged]);
  const put = useAction('put', '/v1/graphs/{graph}', {
    onProblem: (problem: Problem) => {
      if (problem.code === 'graph.changed') onConflict();
      else showProblem(problem);
    },
  });
  const send = (over: GraphFile, then?: (id: string) => void): void => {
    const { document } = state;
    // A version that was only undone or loaded again is not a choice of the user: the server counts it up.
    const isOld = versions.current.has(String(document['version']));
    const definition = isOld ? setSetting(document, 'version', over.document['version'] ?? 1) : document;
    put.mutate(
      {
        params: { path: { graph: document.id } },
        body: { definition, ...(over.revision !== undefined && { revision: over.revision }) },
      },
      {
        onSuccess: (answer) => {
          drafts.delete(place);
          const saved = readGraphDocument(answer.definition) ?? document;
          follow({ document: saved, revision: answer.revision });
          dispatch({ kind: 'saved', version: saved['version'] });
          queryClient.setQueryData(
            apiKey('/v1/graphs/{graph}', { params: { path: { graph: document.id } } }),
            answer,
          );
          void queryClient.invalidateQueries({ queryKey: ['/v1/graphs'] });
          void queryClient.invalidateQueries({ queryKey: ['/v1/graphs/{graph}/versions'] });
          showInfo(`Saved ${answer.path}`);
          then?.(document.id);
        },
      },
    );
  };
  return {
    state,
    isChanged,
    isSaving: put.isPending,
    conflict: hasMoved && isChanged ? file : undefined,
    edit: useCallback(
      (document, key) => dispatch({ kind: 'edit', document, ...(key !== undefined && { key }) }),
      [],
    ),
    type: useCallback((text) => dispatch({ kind: 'type', text }), []),
    undo: useCallback(() => dispatch({ kind: 'undo' }), []),
    redo: useCallback(() => dispatch({ kind: 'redo' }), []),
    save: (then) => send(base, then),
    takeTheirs: () => {
      follow(file);
      dispatch({ kind: 'edit', document: file.document });
    },
    saveOverTheirs: () => send(file),
  };
}
