import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../../../api/query.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { TextArea, TextField } from '../../../parts/field.tsx';
import { readVariables, type Variables } from './read-variables.ts';
import type { ActionProps } from './run-action.ts';

/** Starts a new run from before a step, with other variables if the person changes them. */
export function ForkRun({ answer: { run }, moment, step, onClose }: ActionProps): ReactNode {
  const [, navigate] = useLocation();
  const [from, setFrom] = useState(String(step));
  const [text, setText] = useState(() => JSON.stringify(moment.whole.root.vars, undefined, 2));
  const fork = useAction('post', '/v1/runs/{run}/fork', {
    onDone: (answer) => {
      onClose();
      navigate(`/runs/${answer.run.id}`);
    },
  });
  const read = readVariables(text, moment.whole.root.vars);
  const number = Number(from);
  const isStep = Number.isInteger(number) && number >= 1;
  const start = (vars: Variables): void =>
    fork.mutate({ params: { path: { run: run.id } }, body: { step: number, vars } });
  return (
    <Confirm
      title="Fork the run"
      open
      action="Start the new run"
      busy={fork.isPending}
      onConfirm={() => {
        if (isStep && 'changed' in read) start(read.changed);
      }}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          A new run starts before this step, with everything that was known then. This run stays as it is.
          Effects outside of Oka are not undone.
        </p>
        <TextField
          label="From step"
          type="number"
          min={1}
          value={from}
          error={isStep ? undefined : 'Give the number of a step.'}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextArea
          label="Variables (JSON)"
          className="input mono"
          rows={8}
          spellCheck={false}
          value={text}
          error={'problem' in read ? read.problem : undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </Confirm>
  );
}
