import type { ReactNode } from 'react';
import { Button } from '../../../parts/button.tsx';
import { formatDuration } from '../../../parts/format.ts';
import { StatusMark } from '../../../parts/status-mark.tsx';
import { stepLabel } from '../record/step-label.ts';
import { stepStatus } from '../record/step-status.ts';
import type { ViewProps } from '../view-props.ts';
import { RunSummary } from './run-summary.tsx';
import { StepDetails } from './step-details.tsx';

/** The selected step, or the run if none is selected. */
export function StepPanel({ answer, moment, selection }: ViewProps): ReactNode {
  const { step, key, choose } = selection;
  if (step === undefined)
    return (
      <aside className="card step-panel" aria-label="Run">
        {key !== '' && (
          <p className="step-later muted">
            Step {key.split('.')[1]} has not begun at this moment.{' '}
            <Button look="quiet" onClick={() => choose('')}>
              Show the run
            </Button>
          </p>
        )}
        <RunSummary answer={answer} moment={moment} />
      </aside>
    );
  const { status, word } = stepStatus(step);
  const took = (step.endedAt ?? moment.tree.at) - step.startedAt;
  const numbers = step.last > step.step ? `Steps ${step.step}–${step.last}` : `Step ${step.step}`;
  return (
    <aside className="card step-panel" aria-label={numbers}>
      <div className="step-head">
        <h2>{stepLabel(step)}</h2>
        <StatusMark status={status} label={step.status === 'ok' ? formatDuration(took) : word} />
        {key !== '' && (
          <Button look="quiet" aria-label="Close the step" onClick={() => choose('')}>
            ✕
          </Button>
        )}
      </div>
      <p className="small muted">
        {numbers} in {step.state}
        {step.attempts > 1 && `, ${step.attempts} attempts`}
      </p>
      <StepDetails key={step.key} step={step} answer={answer} moment={moment} selection={selection} />
    </aside>
  );
}
