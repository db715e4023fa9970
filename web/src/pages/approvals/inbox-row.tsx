import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { requestLine } from '../../../../src/api/describe-request.ts';
import type { ApprovalView } from '../../api/types.ts';
import { shortId } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { SandboxMark } from '../../request/request-marks.tsx';

const KINDS = { tool: 'Call', question: 'Question', unknown_effect: 'Unknown outcome' } as const;

interface InboxRowProps {
  readonly approval: ApprovalView;
  readonly isSelected: boolean;
}

/** What a run wants to do, in one line. */
export function InboxRow({ approval, isSelected }: InboxRowProps): ReactNode {
  return (
    <li>
      <Link
        className="inbox-row"
        href={`/approvals?selected=${encodeURIComponent(approval.id)}`}
        aria-current={isSelected ? 'true' : undefined}
      >
        <span className={approval.kind === 'tool' ? 'mono inbox-line' : 'inbox-line'}>
          {requestLine(approval)}
        </span>
        <span className="small muted inbox-facts">
          {KINDS[approval.kind]} · run {shortId(approval.run)} · <RelativeTime at={approval.requestedAt} />
          <SandboxMark approval={approval} />
        </span>
      </Link>
    </li>
  );
}
