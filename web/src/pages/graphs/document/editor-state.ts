// Owns: the document of the editor with its text and its history. The text may be broken while a person types; the
// document is then the last one that could be read.
import { type GraphDocument, readGraphDocument } from '../../../parts/graph-canvas/graph-document.ts';

export interface EditorState {
  readonly document: GraphDocument;
  /** What the JSON editor shows. */
  readonly text: string;
  /** Why the text is not the document. */
  readonly textProblem?: string;
  readonly past: readonly GraphDocument[];
  readonly future: readonly GraphDocument[];
  /** The last edit. Edits with the same key are one step of the history. */
  readonly lastKey?: string;
}

export type EditorAction =
  /** An edit by a form or on the canvas. */
  | { readonly kind: 'edit'; readonly document: GraphDocument; readonly key?: string }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'undo' | 'redo' }
  /** The file changed and there was nothing to save. */
  | { readonly kind: 'replace'; readonly document: GraphDocument }
  /** The document is in the file, with this version. */
  | { readonly kind: 'saved'; readonly version: unknown };

const MAX_STEPS = 200;

export const textOf = (document: GraphDocument): string => JSON.stringify(document, undefined, 2);

export const startEditor = (document: GraphDocument): EditorState => ({
  document,
  text: textOf(document),
  past: [],
  future: [],
});

export function editorReducer(state: EditorState, action: EditorAction): EditorState {
  switch (action.kind) {
    case 'edit':
      return changed(state, action.document, textOf(action.document), action.key);
    case 'type':
      return typed(state, action.text);
    case 'undo':
      return undone(state);
    case 'redo':
      return redone(state);
    case 'replace': {
      const { document } = action;
      return { document, text: textOf(document), past: state.past, future: state.future };
    }
    case 'saved':
      return saved(state, action.version);
  }
}

function changed(state: EditorState, document: GraphDocument, text: string, key?: string): EditorState {
  const isSameStep = key !== undefined && key === state.lastKey && state.past.length > 0;
  const past = isSameStep ? state.past : [...state.past, state.document].slice(-MAX_STEPS);
  return { document, text, past, future: [], ...(key !== undefined && { lastKey: key }) };
}

function typed(state: EditorState, text: string): EditorState {
  if (text === state.text) return state;
  const { textProblem: _, ...rest } = state;
  try {
    const document = readGraphDocument(JSON.parse(text));
    if (document === undefined)
      return {
        ...rest,
        text,
        textProblem: 'A graph is an object with a list of nodes, each with its own node_id and a type.',
      };
    if (textOf(document) === textOf(state.document)) return { ...rest, text };
    return changed(rest, document, text, 'text');
  } catch (error) {
    return { ...rest, text, textProblem: (error as Error).message };
  }
}

function saved(state: EditorState, version: unknown): EditorState {
  if (state.document['version'] === version) return state;
  const document = { ...state.document, version };
  // Text that a person is typing now stays as it is; its version is counted up when it is saved.
  return state.textProblem === undefined
    ? { ...state, document, text: textOf(document) }
    : { ...state, document };
}

/** Broken text is dropped first: the document before it is the one that is shown. */
function undone(state: EditorState): EditorState {
  const { textProblem, lastKey: _, ...rest } = state;
  if (textProblem !== undefined) return { ...rest, text: textOf(state.document) };
  const document = state.past.at(-1);
  if (document === undefined) return state;
  return {
    document,
    text: textOf(document),
    past: state.past.slice(0, -1),
    future: [state.document, ...state.future],
  };
}

function redone(state: EditorState): EditorState {
  const [document, ...future] = state.future;
  if (document === undefined || state.textProblem !== undefined) return state;
  return { document, text: textOf(document), past: [...state.past, state.document], future };
}
