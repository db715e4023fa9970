// Loads CodeMirror: import it lazily.
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import { basicSetup, EditorView } from 'codemirror';
import { type ReactNode, useEffect, useRef } from 'react';

interface JsonPaneProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  /** The node whose text is scrolled into view. */
  readonly node: string | undefined;
}

/** The graph as its JSON text. */
export default function JsonPane({ text, onType, node }: JsonPaneProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(onType);
  useEffect(() => {
    latest.current = onType;
  });
  useEffect(() => {
    const made = new EditorView({
      ...(place.current !== null && { parent: place.current }),
      extensions: [
        basicSetup,
        json(),
        linter(jsonParseLinter()),
        EditorView.contentAttributes.of({ 'aria-label': 'The graph as JSON', tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) latest.current(state.doc.toString());
        }),
      ],
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const { current } = view;
    if (current === undefined || current.state.doc.toString() === text) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const { current } = view;
    if (current === undefined || node === undefined) return;
    const at = current.state.doc.toString().indexOf(`"node_id": ${JSON.stringify(node)}`);
    if (at >= 0)
      current.dispatch({
        selection: { anchor: at },
        effects: EditorView.scrollIntoView(at, { y: 'center' }),
      });
  }, [node]);
  return <div ref={place} className="graph-json" />;
}
