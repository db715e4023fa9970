import { type ReactNode, useMemo } from 'react';
import { CodeView } from '../../parts/code-view.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { textDiff } from './text-diff.ts';

interface ValueDiffProps {
  readonly label: string;
  /** Missing if that run has nothing to compare. */
  readonly left?: string | undefined;
  readonly right?: string | undefined;
}

/** What differs between two texts. Equal texts are folded. */
export function ValueDiff({ label, left, right }: ValueDiffProps): ReactNode {
  if ((left ?? '') === '' && (right ?? '') === '') return null;
  if (left === undefined || right === undefined)
    return (
      <div>
        <h3 className="compare-label">{label}</h3>
        <CodeView code={left ?? right ?? ''} label={label} wrap />
      </div>
    );
  if (left === right)
    return (
      <details>
        <summary className="compare-label">{label}: the same</summary>
        <CodeView code={left} label={label} wrap />
      </details>
    );
  return (
    <div>
      <h3 className="compare-label">
        {label}: <span className="muted">− A, + B</span>
      </h3>
      <Difference label={label} left={left} right={right} />
    </div>
  );
}

interface DifferenceProps {
  readonly label: string;
  readonly left: string;
  readonly right: string;
}

function Difference({ label, left, right }: DifferenceProps): ReactNode {
  const diff = useMemo(() => textDiff(left, right), [left, right]);
  if (diff !== undefined) return <DiffView diff={diff} label={`${label}, differences`} />;
  return (
    <div className="compare-both">
      <CodeView code={left} label={`${label} of A`} wrap />
      <CodeView code={right} label={`${label} of B`} wrap />
    </div>
  );
}
