import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly open?: boolean;
  /** The action as a verb, such as "Add". */
  readonly action: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  /** Whether the form is incomplete. */
  readonly disabled?: boolean;
  readonly wide?: boolean;
  readonly className?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A dialog with fields that are sent together, with the button or with Enter. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, open = true, action, danger, busy = false, disabled = false, onSubmit, onClose } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      open={open}
      wide={props.wide ?? false}
      onClose={onClose}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={form}
            look={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={disabled}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={props.className ?? 'stack'}
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled && !busy) onSubmit();
        }}
      >
        {props.children}
      </form>
    </Dialog>
  );
}
