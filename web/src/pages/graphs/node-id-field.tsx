import { type ReactNode, useState } from 'react';
import { TextField } from '../../parts/field.tsx';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';

interface NodeIdFieldProps {
  readonly document: GraphDocument;
  readonly id: string;
  readonly onRename: (to: string) => void;
}

const ID = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,199}$/;

/** The id of a node. It is renamed when the field is left or Enter is pressed, with every reference to it. */
export function NodeIdField({ document, id, onRename }: NodeIdFieldProps): ReactNode {
  const [draft, setDraft] = useState(id);
  const error = problemOf(draft, id, document);
  const finish = (): void => {
    if (error === undefined && draft !== id) onRename(draft);
  };
  return (
    <TextField
      label="Id"
      hint="Templates name the output by it. References are renamed too."
      error={error}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  );
}

function problemOf(draft: string, id: string, { nodes }: GraphDocument): string | undefined {
  if (!ID.test(draft)) return 'Use letters, digits, _ and -.';
  const isTaken = draft !== id && nodes.some(({ node_id }) => node_id === draft);
  return isTaken ? `There is a node ${draft} already.` : undefined;
}
