import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../../../api/query.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { TextField } from '../../../parts/field.tsx';
import type { ActionProps } from './run-action.ts';

/** A failed or cancelled run stays as it is; a new run continues it. */
export function ResumeRun({ answer: { run }, onClose }: ActionProps): ReactNode {
  const [, navigate] = useLocation();
  const [amount, setAmount] = useState('');
  const budget = run.waitingFor?.what === 'budget' ? budgetIn(run.waitingFor.next) : undefined;
  const resume = useAction('post', '/v1/runs/{run}/resume', {
    onDone: (answer) => {
      onClose();
      if (answer.run.id !== run.id) navigate(`/runs/${answer.run.id}`);
    },
  });
  const isNew = run.status === 'failed' || run.status === 'cancelled';
  const added = Number(amount);
  const addBudgets = budget === undefined || amount === '' ? {} : { [budget]: added };
  return (
    <Confirm
      title="Resume the run?"
      open
      action="Resume"
      busy={resume.isPending}
      onConfirm={() => resume.mutate({ params: { path: { run: run.id } }, body: { addBudgets } })}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          {isNew
            ? 'A new run continues from the last good point. This one stays as it is.'
            : 'It continues with its next step.'}
        </p>
        {budget !== undefined && (
          <TextField
            label={`Add to the budget ${budget}`}
            hint="Without more budget it waits again."
            type="number"
            min={0}
            step="any"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        )}
      </div>
    </Confirm>
  );
}

/** The budget that the suggested command adds to. */
function budgetIn(next: string): string | undefined {
  return /--add-budget (\w+)=/.exec(next)?.[1];
}
