import { type ReactNode, useState } from 'react';
import { type Answer, useAction } from '../../../api/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Checkbox } from '../../../parts/field.tsx';
import { StatusMark } from '../../../parts/status-mark.tsx';
import { FileChanges } from '../step/file-changes.tsx';
import type { ActionProps } from './run-action.ts';

type Undone = Answer<'/v1/runs/{run}/undo', 'post'>;

export function UndoRun({ answer: { run }, onClose }: ActionProps): ReactNode {
  const [force, setForce] = useState(false);
  const undo = useAction('post', '/v1/runs/{run}/undo');
  if (undo.data !== undefined) return <Result undone={undo.data} onClose={onClose} />;
  return (
    <Confirm
      title="Undo the file changes of the run?"
      open
      danger
      action="Undo"
      busy={undo.isPending}
      onConfirm={() => undo.mutate({ params: { path: { run: run.id } }, body: { force } })}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          Files get the content that they had before. Files that were changed since then are kept, unless you
          say otherwise.
        </p>
        <FileChanges run={run.id} />
        <Checkbox
          label="Also restore files that were changed since then"
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
        />
      </div>
    </Confirm>
  );
}

function Result({ undone, onClose }: { readonly undone: Undone; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog
      title={undone.changes.length === 0 ? 'There was nothing to undo' : 'Undone'}
      open
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="undo-list">
        {undone.changes.map(({ run, step, what, restored }) => (
          <li key={`${run}.${step}.${what}`}>
            <StatusMark
              status={restored ? 'ok' : 'warning'}
              label={restored ? 'Restored' : 'Kept'}
              look="plain"
            />{' '}
            {what}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
