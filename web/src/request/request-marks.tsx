import type { ReactNode } from 'react';
import { describeRequest, isWithoutSandbox } from '../../../src/api/describe-request.ts';
import type { ApprovalView } from '../api/types.ts';

const RISKY = ['high', 'critical'];

/** How confined a call is, how risky, and whether it can be undone. */
export function RequestMarks({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { kind, now, risk, sideEffect, destructive } = approval;
  if (kind !== 'tool') return null;
  return (
    <span className="request-marks">
      <SandboxMark approval={approval} />
      {risk !== undefined && (
        <span className={`chip ${RISKY.includes(risk) ? 'tone-bad' : ''}`}>{risk} risk</span>
      )}
      {destructive && <span className="chip tone-bad">destructive</span>}
      {sideEffect === 'read' && <span className="chip">changes nothing</span>}
      {sideEffect !== 'read' && now !== undefined && (
        <span className={`chip ${now.canUndo ? 'tone-ok' : 'tone-wait'}`}>
          {now.canUndo ? 'can be undone' : 'cannot be undone'}
        </span>
      )}
    </span>
  );
}

/** Whether a program would run confined. */
export function SandboxMark({ approval }: { readonly approval: ApprovalView }): ReactNode {
  if (isWithoutSandbox(approval))
    return (
      <span className="chip tone-bad" title="It can read and change all your files.">
        no sandbox
      </span>
    );
  if (describeRequest(approval).kind !== 'program' || approval.now?.sandbox === undefined) return null;
  return (
    <span className="chip tone-ok" title={`Confined by ${approval.now.sandbox}`}>
      sandboxed
    </span>
  );
}
