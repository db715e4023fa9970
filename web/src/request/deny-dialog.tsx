import { type ReactNode, useState } from 'react';
import { requestLine } from '../../../src/api/describe-request.ts';
import type { ApprovalView } from '../api/types.ts';
import { TextField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';

interface DenyDialogProps {
  readonly approval: ApprovalView;
  readonly open: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onClose: () => void;
}

export function DenyDialog({ approval, open, onDeny, onClose }: DenyDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title="Deny the request?"
      open={open}
      action="Deny"
      danger
      onSubmit={() => onDeny(reason)}
      onClose={onClose}
    >
      <p className="request-line">{requestLine(approval)}</p>
      <TextField
        label="Reason"
        hint="Optional. It is recorded, and the model reads it."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}
