import type { ReactNode } from 'react';
import { useAction } from '../../../api/query.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import type { ActionProps } from './run-action.ts';

export function PauseRun({ answer: { run }, onClose }: ActionProps): ReactNode {
  const pause = useAction('post', '/v1/runs/{run}/pause', { onDone: onClose });
  return (
    <Confirm
      title="Pause the run?"
      open
      action="Pause"
      busy={pause.isPending}
      onConfirm={() => pause.mutate({ params: { path: { run: run.id } }, body: {} })}
      onClose={onClose}
    >
      <p>It stops before its next step. A call that runs now ends first. Resume continues it.</p>
    </Confirm>
  );
}
