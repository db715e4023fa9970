import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { ErrorState } from '../parts/error-state.tsx';

interface DecisionProblemProps {
  readonly problem: Problem | undefined;
  readonly isOpen: boolean;
}

/** Why a decision was refused. The request above is read again, so it shows what is true now. */
export function DecisionProblem({ problem, isOpen }: DecisionProblemProps): ReactNode {
  if (problem === undefined) return null;
  return (
    <div className="request-problem">
      <ErrorState error={problem} />
      {problem.code === 'engine.approval_mismatch' && isOpen && (
        <p>Nothing was approved. The request above now shows the current arguments: read them again.</p>
      )}
      {problem.code === 'engine.approval_decided' && <p>The decision above counts, not yours.</p>}
    </div>
  );
}
