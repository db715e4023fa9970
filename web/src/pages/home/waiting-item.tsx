import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../api/query.ts';
import type { ApprovalView } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { shortId } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';

const MAX_OPTIONS = 3;
const TITLES = { tool: 'Approval', question: 'Question', unknown_effect: 'Interrupted call' } as const;

/** One request. Questions with few options are answered here; a call is decided where all of it is shown. */
export function WaitingItem({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const answer = useAction('post', '/v1/approvals/{id}/approve');
  const options = approval.kind === 'question' ? (approval.options ?? []) : [];
  const choose = (option: string): void =>
    answer.mutate({ params: { path: { id: approval.id } }, body: { answer: option } });
  return (
    <div className="waiting-item">
      <div>
        <div>
          <b>{TITLES[approval.kind]}</b> <span className="muted">from</span>{' '}
          <Link className="link" href={`/runs/${approval.run}`}>
            run {shortId(approval.run)}
          </Link>
        </div>
        <div className={approval.kind === 'tool' ? 'mono' : ''}>
          {approval.question ?? approval.effect ?? approval.tool}
        </div>
        <div className="small muted">
          {approval.now !== undefined && `${approval.now.because} · `}
          asked <RelativeTime at={approval.requestedAt} />
        </div>
      </div>
      <div className="row">
        {options.length <= MAX_OPTIONS &&
          options.map((option) => (
            <Button key={option} busy={answer.isPending} onClick={() => choose(option)}>
              {option}
            </Button>
          ))}
        <Link className="button" href={`/approvals?selected=${approval.id}`}>
          {options.length === 0 ? 'Review' : 'Other…'}
        </Link>
      </div>
    </div>
  );
}
