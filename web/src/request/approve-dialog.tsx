import { type ReactNode, useRef } from 'react';
import { requestLine } from '../../../src/api/describe-request.ts';
import type { ApprovalView } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';

interface ApproveDialogProps {
  readonly approval: ApprovalView;
  readonly remember: boolean;
  readonly open: boolean;
  readonly onConfirm: (remember: boolean) => void;
  readonly onClose: () => void;
}

/** Asks once more. The focus is on Cancel, so a stray key approves nothing. */
export function ApproveDialog({
  approval,
  remember,
  open,
  onConfirm,
  onClose,
}: ApproveDialogProps): ReactNode {
  // While the dialog closes it keeps its words.
  const last = useRef(remember);
  if (open) last.current = remember;
  const isRemembered = open ? remember : last.current;
  return (
    <Confirm
      title={isRemembered ? 'Approve, and remember it?' : 'Approve once?'}
      open={open}
      action={isRemembered ? 'Approve and remember' : 'Approve once'}
      onConfirm={() => onConfirm(isRemembered)}
      onClose={onClose}
    >
      <p className="request-line">{requestLine(approval)}</p>
      {isRemembered ? (
        <p className="muted">
          For 30 days, later calls of <code>{approval.tool}</code> with exactly these arguments run in this
          workspace without asking
          {isProgram(approval) && ', as long as the program and its files are unchanged'}. Any other arguments
          ask again. See and revoke it with <code>oka grants list</code>.
        </p>
      ) : (
        <p className="muted">
          This call runs once, with exactly the arguments shown. The next call asks again.
          {approval.now !== undefined &&
            (approval.now.canUndo ? ' It can be undone.' : ' It cannot be undone.')}
        </p>
      )}
    </Confirm>
  );
}

const isProgram = ({ tool }: ApprovalView): boolean => tool === 'process.run';
