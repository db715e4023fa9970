import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  /** The action as a verb, such as "Delete". */
  readonly action: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
}

export function Confirm({
  title,
  open,
  action,
  danger,
  busy,
  onConfirm,
  onClose,
  children,
}: ConfirmProps): ReactNode {
  return (
    <Dialog
      title={title}
      open={open}
      onClose={onClose}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look={danger ? 'danger' : 'primary'} busy={busy ?? false} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
