import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A dialog that keeps the focus inside and gives it back at the end. */
export function Dialog({ title, open, onClose, actions, wide = false, children }: DialogProps): ReactNode {
  return (
    <BaseDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Popup className={`dialog ${wide ? 'dialog-wide' : ''}`}>
          <BaseDialog.Title>{title}</BaseDialog.Title>
          {children}
          {actions !== undefined && <div className="dialog-actions">{actions}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
