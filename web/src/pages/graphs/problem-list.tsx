import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { StatusMark } from '../../parts/status-mark.tsx';
import { applyFix } from './document/edit-document.ts';
import { type Diagnostic, nodeOf } from './use-graph-check.ts';

interface ProblemListProps {
  readonly document: GraphDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** Why the text is not JSON. */
  readonly textProblem: string | undefined;
  readonly onSelect: (node: string | undefined) => void;
  readonly onEdit: (document: GraphDocument) => void;
}

/** What is wrong with the graph, below the drawing. */
export function ProblemList({
  document,
  diagnostics,
  textProblem,
  onSelect,
  onEdit,
}: ProblemListProps): ReactNode {
  if (diagnostics.length === 0 && textProblem === undefined) return null;
  return (
    <section className="card graph-problems" aria-label="Problems">
      {textProblem !== undefined && (
        <div className="graph-problem">
          <StatusMark status="error" label="JSON" />
          <span>{`${textProblem} The drawing shows the last version that could be read.`}</span>
        </div>
      )}
      {diagnostics.map((diagnostic) => {
        const { code, path, severity, message, suggestion, fix } = diagnostic;
        const node = nodeOf(diagnostic, document);
        return (
          <div key={`${code} ${path} ${message}`} className="graph-problem">
            <StatusMark status={severity} />
            <button type="button" className="graph-problem-text" onClick={() => onSelect(node)}>
              {node !== undefined && <b>{node} · </b>}
              {message} {suggestion !== undefined && <span className="muted">{suggestion}</span>}
            </button>
            {fix !== undefined && (
              <Button title={fix.what} onClick={() => onEdit(applyFix(document, fix))}>
                {fix.what}
              </Button>
            )}
          </div>
        );
      })}
    </section>
  );
}
