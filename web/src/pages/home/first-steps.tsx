import type { ReactNode } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';

/** Goals that work without a model. */
const GOALS = ['write a brief of this folder to BRIEF.md', 'collect the TODOs', 'find large files'] as const;

/** Teaches the first goal in a workspace without runs. */
export function FirstSteps({ onChoose }: { readonly onChoose: (goal: string) => void }): ReactNode {
  return (
    <section className="card">
      <EmptyState title="Nothing has run here yet">
        <p>Write a goal above, or start with one of these. They need no model:</p>
        <div className="filters">
          {GOALS.map((goal) => (
            <button key={goal} type="button" className="filter-chip" onClick={() => onChoose(goal)}>
              {goal}
            </button>
          ))}
        </div>
        <p className="small">
          For goals in free words, add a model: <code>oka model add</code>
        </p>
      </EmptyState>
    </section>
  );
}
