import { type ReactNode, useState } from 'react';
import { requestLine } from '../../../src/api/describe-request.ts';
import type { ApprovalView } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';

interface DenyDialogProps {
  readonly approval: ApprovalView;
  readonly open: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onClose: () => void;
}

export function DenyDialog({ approval, open, onDeny, onClose }: DenyDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  return (
    <Dialog title="Deny the request?" open={open} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onDeny(reason);
        }}
      >
        <p className="request-line">{requestLine(approval)}</p>
        <TextField
          label="Reason"
          hint="Optional. It is recorded, and the model reads it."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="dialog-actions">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="danger">
            Deny
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
