import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { CodeView } from '../../parts/code-view.tsx';
import { DiffView } from '../../parts/diff-view.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { type ActionGroup, actionGroups, diffOf, type StepAction } from './action-groups.ts';

/** What a turn did: its tool calls as lines that open, and the files that it changed. */
export function TurnSteps({ run }: { readonly run: string }): ReactNode {
  const query = useApi('/v1/runs/{run}/explain', { params: { path: { run } } });
  return (
    <QueryState query={query}>
      {({ actions }) => {
        const groups = actionGroups(actions);
        if (groups.length === 0) return <p className="small muted">No tool calls.</p>;
        return (
          <ul className="turn-steps">
            {groups.map((group) => (
              <li key={group.key}>
                <Step group={group} />
              </li>
            ))}
          </ul>
        );
      }}
    </QueryState>
  );
}

/** The files that a turn changed, compared with what is on disk now. */
export function TurnChanges({ run }: { readonly run: string }): ReactNode {
  const { data } = useApi('/v1/changes', { params: { query: { runs: [run] } } });
  return data?.map(({ path, change, diff, added = 0, removed = 0 }) => (
    <details key={path} className="turn-step">
      <summary>
        {change} <code>{path}</code> {diff !== undefined && `+${added} −${removed}`}
      </summary>
      {diff === undefined ? <p className="small muted">It is not text.</p> : <DiffView diff={diff} />}
    </details>
  ));
}

function Step({ group }: { readonly group: ActionGroup }): ReactNode {
  return (
    <details className="turn-step">
      <summary className={group.hasFailed ? 'turn-step-failed' : ''}>
        {group.hasFailed ? '✗ ' : ''}
        {group.line}
      </summary>
      {group.steps.map((step) => (
        <StepDetails key={step.step} step={step} />
      ))}
    </details>
  );
}

function StepDetails({ step }: { readonly step: StepAction }): ReactNode {
  const diff = diffOf(step.output);
  return (
    <div className="turn-step-details">
      {step.rationale !== '' && <p className="muted">{step.rationale}</p>}
      <span className="field-label">
        <code>{step.tool}</code> with
      </span>
      <JsonView value={step.input} />
      {step.failure !== undefined && <CodeView code={step.failure.message} label="Failure" wrap />}
      {diff !== undefined && <DiffView diff={diff} />}
      {step.failure === undefined && diff === undefined && (
        <>
          <span className="field-label">answered</span>
          <JsonView value={step.output} />
        </>
      )}
    </div>
  );
}
