import type { ReactNode } from 'react';
import { type Answer, useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { QueryState } from '../../parts/query-state.tsx';

/** A run that was only simulated has no events in the ledger: its story, and what a real run would change. */
export function Simulation({ answer }: { readonly answer: Answer<'/v1/runs/{run}'> }): ReactNode {
  const { run, wouldChange = [], effects = [], wouldFail = [], simulationNotes = [] } = answer;
  const story = useApi('/v1/runs/{run}/replay', {
    params: { path: { run: run.id }, query: { mode: 'narrative' } },
  });
  const lines = [
    ...effects.map(({ what }) => what),
    ...wouldFail.map(
      ({ what, outcome, why }) => `would ${outcome === 'refused' ? 'be refused' : 'fail'}: ${what}: ${why}`,
    ),
    ...simulationNotes,
  ];
  return (
    <div className="stack">
      <Card title="Story">
        <QueryState query={story}>
          {({ narrative = [] }) => (
            <ol className="simulation-story">
              {narrative.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ol>
          )}
        </QueryState>
      </Card>
      {lines.length > 0 && (
        <Card title="What a real run would do">
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Card>
      )}
      {wouldChange.map((change) => (
        <Card
          key={change.path}
          title={<code>{change.path}</code>}
          actions={<span className="small muted">would be {change.change}</span>}
        >
          {change.diff === undefined ? (
            <p className="muted">Its content is not text.</p>
          ) : (
            <DiffView diff={change.diff} />
          )}
        </Card>
      ))}
    </div>
  );
}
