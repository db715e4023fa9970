import { type ReactNode, useMemo, useState } from 'react';
import { whyNotRemembered } from '../../../src/api/describe-request.ts';
import type { ApprovalView } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useShortcuts } from '../state/use-shortcuts.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { ArgumentsEditor } from './arguments-editor.tsx';
import { DecisionProblem } from './decision-problem.tsx';
import { DenyDialog } from './deny-dialog.tsx';
import { useDecision } from './use-decision.ts';

type Open = 'nothing' | 'approve' | 'remember' | 'deny' | 'edit';

interface CallDecisionProps {
  readonly approval: ApprovalView;
  readonly keys: boolean;
  /** Whether the person can see all of the call. */
  readonly isShown: boolean;
}

/** Approve once, remember, edit or deny a call. A key only opens a dialog, whose first choice is no. */
export function CallDecision({ approval, keys, isShown }: CallDecisionProps): ReactNode {
  const [open, setOpen] = useState<Open>('nothing');
  const decision = useDecision(approval);
  const isOpen = approval.status === 'pending';
  const close = (): void => setOpen('nothing');
  const show = (what: Open) => (): void => {
    decision.clearProblem();
    setOpen(what);
  };
  const areKeysOn = keys && isOpen;
  const deny = { d: show('deny') };
  const shortcuts = isShown ? { ...deny, a: show('approve'), e: show('edit') } : deny;
  useShortcuts(areKeysOn ? shortcuts : {});
  usePaletteActions(areKeysOn, isShown, setOpen);
  const why = whyNotRemembered(approval);
  return (
    <>
      <DecisionProblem problem={decision.problem} isOpen={isOpen} />
      {isOpen && open === 'edit' && (
        <ArgumentsEditor approval={approval} decision={decision} onClose={close} />
      )}
      {isOpen && open !== 'edit' && (
        <footer className="request-actions">
          <Button look="danger" busy={decision.isBusy} onClick={show('deny')}>
            Deny… {keys && <kbd>d</kbd>}
          </Button>
          <Button busy={decision.isBusy} disabled={!isShown} onClick={show('edit')}>
            Edit arguments… {keys && <kbd>e</kbd>}
          </Button>
          <Button
            busy={decision.isBusy}
            disabled={why !== undefined || !isShown}
            title={why === undefined ? undefined : `Cannot be remembered: ${why}`}
            onClick={show('remember')}
          >
            Approve and remember…
          </Button>
          <Button busy={decision.isBusy} disabled={!isShown} onClick={show('approve')}>
            Approve once… {keys && <kbd>a</kbd>}
          </Button>
          {!isShown && <p className="small muted">Show all of the call before you approve it.</p>}
          {why !== undefined && <p className="small muted">An approval cannot be remembered: {why}.</p>}
        </footer>
      )}
      <ApproveDialog
        approval={approval}
        remember={open === 'remember'}
        open={isOpen && (open === 'approve' || open === 'remember')}
        onConfirm={(remember) => {
          close();
          decision.approve(remember ? { remember: true } : {});
        }}
        onClose={close}
      />
      <DenyDialog
        approval={approval}
        open={isOpen && open === 'deny'}
        onDeny={(reason) => {
          close();
          decision.deny(reason);
        }}
        onClose={close}
      />
    </>
  );
}

function usePaletteActions(isOn: boolean, isShown: boolean, setOpen: (open: Open) => void): void {
  const actions = useMemo(() => {
    if (!isOn) return [];
    const entry = (id: Open, label: string, shortcut: string) => ({
      ...{ id: `request.${id}`, label, shortcut },
      run: () => setOpen(id),
    });
    const deny = entry('deny', 'Deny the request…', 'd');
    if (!isShown) return [deny];
    return [
      entry('approve', 'Approve the request once…', 'a'),
      deny,
      entry('edit', 'Edit the arguments of the request…', 'e'),
    ];
  }, [isOn, isShown, setOpen]);
  useActions(actions);
}
