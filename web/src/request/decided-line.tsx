import type { ReactNode } from 'react';
import type { ApprovalView } from '../api/types.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { StatusMark } from '../parts/status-mark.tsx';

/** Who decided what and when. */
export function DecidedLine({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { status, decidedBy, decidedAt, answer, reason, requestedArguments } = approval;
  return (
    <div className="request-decided" role="status">
      <StatusMark status={status} />
      {requestedArguments !== undefined && <span>with edited arguments</span>}
      {decidedBy !== undefined && <span>by {decidedBy}</span>}
      {decidedAt !== undefined && <RelativeTime at={decidedAt} />}
      {answer !== undefined && <span className="request-words">“{answer}”</span>}
      {reason !== undefined && <span className="request-words">Reason: {reason}</span>}
    </div>
  );
}
