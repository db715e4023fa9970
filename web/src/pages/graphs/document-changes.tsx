import type { ReactNode } from 'react';
import { DiffView } from '../../parts/diff-view.tsx';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { documentDiff } from './document-diff.ts';

interface DocumentChangesProps {
  readonly before: GraphDocument;
  readonly after: GraphDocument;
  readonly label: string;
}

/** The difference of two graphs. Imports the diff library: load it lazily. */
export default function DocumentChanges({ before, after, label }: DocumentChangesProps): ReactNode {
  return <DiffView diff={documentDiff(before, after)} label={label} />;
}
