import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { type Answer, useAction } from '../../api/query.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { Checkbox, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { plural } from '../../parts/format.ts';
import { showInfo } from '../../state/toasts.ts';
import { RegenerationPlan } from './regeneration-plan.tsx';

type Regeneration = Answer<'/v1/context/regenerate', 'post'>;

const MAX_CALLS = '20';

/** Shows what a regeneration would touch and cost, and does it. An empty node is the whole workspace. */
export function RegenerateDialog({
  node,
  onClose,
}: {
  readonly node: string;
  readonly onClose: () => void;
}): ReactNode {
  const [isRecursive, setIsRecursive] = useState(true);
  const [withModels, setWithModels] = useState(false);
  const [maxCalls, setMaxCalls] = useState(MAX_CALLS);
  const [problem, setProblem] = useState<Problem>();
  const plan = useAction('post', '/v1/context/regenerate', { onProblem: setProblem });
  const work = useAction('post', '/v1/context/regenerate', {
    onDone: (done) => {
      showInfo(doneText(done));
      onClose();
    },
    onProblem: setProblem,
  });
  const { mutate } = plan;
  const isValid = /^\d+$/.test(maxCalls);
  const request = useMemo(
    () => ({
      node: node === '' ? '.' : node,
      recursive: isRecursive,
      models: withModels,
      ...(withModels && isValid && { maxModelCalls: Number(maxCalls) }),
    }),
    [node, isRecursive, withModels, isValid, maxCalls],
  );
  useEffect(() => {
    setProblem(undefined);
    mutate({ body: { ...request, dryRun: true } });
  }, [mutate, request]);
  const frames = plan.data?.cost.frames ?? 0;
  return (
    <FormDialog
      title={node === '' ? 'Regenerate the workspace' : `Regenerate ${node}`}
      action={frames === 0 ? 'Regenerate' : `Regenerate ${plural(frames, 'frame')}`}
      wide
      busy={work.isPending}
      disabled={plan.isPending || frames === 0}
      onSubmit={() => work.mutate({ body: { ...request, dryRun: false } })}
      onClose={onClose}
    >
      <div className="context-options">
        <Checkbox
          label="Everything below it too"
          checked={isRecursive}
          onChange={(event) => setIsRecursive(event.target.checked)}
        />
        <Checkbox
          label="Also frames that a model wrote"
          checked={withModels}
          onChange={(event) => setWithModels(event.target.checked)}
        />
        {withModels && (
          <TextField
            label="Model calls at most"
            inputMode="numeric"
            value={maxCalls}
            error={isValid ? undefined : 'Write a whole number.'}
            onChange={(event) => setMaxCalls(event.target.value)}
          />
        )}
      </div>
      {problem !== undefined && <ErrorState error={problem} />}
      {problem === undefined && plan.data === undefined && <p className="muted">Looking…</p>}
      {plan.data !== undefined && <RegenerationPlan plan={plan.data} />}
    </FormDialog>
  );
}

function doneText({ cost, skipped }: Regeneration): string {
  const parts = [`${plural(cost.frames, 'frame')} regenerated`, plural(cost.modelCalls, 'model call')];
  if (skipped.length > 0) parts.push(`${skipped.length} skipped`);
  return `${parts.join(', ')}.`;
}
