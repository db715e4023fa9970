import { type ReactNode, useState } from 'react';
import { useAction } from '../../../api/query.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { TextField } from '../../../parts/field.tsx';
import type { ActionProps } from './run-action.ts';

export function CancelRun({ answer: { run }, onClose }: ActionProps): ReactNode {
  const [reason, setReason] = useState('');
  const cancel = useAction('post', '/v1/runs/{run}/cancel', { onDone: onClose });
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <Confirm
      title="Cancel the run?"
      open
      danger
      action="Cancel the run"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate({ params: { path: { run: run.id } }, body })}
      onClose={onClose}
    >
      <div className="stack">
        <p>It and its child runs end. What they changed stays; you can undo it afterwards.</p>
        <TextField label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    </Confirm>
  );
}
