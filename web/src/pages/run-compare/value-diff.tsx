import { type ReactNode, useMemo } from 'react';
import { CodeView } from '../../parts/code-view.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { textDiff } from './text-diff.ts';

interface ValueDiffProps {
  readonly label: string;
  readonly left: string;
  readonly right: string;
}

/** What differs between two texts; the text itself where both are equal. */
export function ValueDiff({ label, left, right }: ValueDiffProps): ReactNode {
  const diff = useMemo(() => textDiff(left, right), [left, right]);
  if (left === '' && right === '') return null;
  if (diff === '')
    return (
      <div>
        <h3 className="compare-label">{label}: the same</h3>
        <CodeView code={left} label={label} wrap />
      </div>
    );
  return (
    <div>
      <h3 className="compare-label">
        {label}: <span className="muted">− A, + B</span>
      </h3>
      {diff === undefined ? (
        <div className="compare-both">
          <CodeView code={left} label={`${label} of A`} wrap />
          <CodeView code={right} label={`${label} of B`} wrap />
        </div>
      ) : (
        <DiffView diff={diff} label={`${label}, differences`} />
      )}
    </div>
  );
}
