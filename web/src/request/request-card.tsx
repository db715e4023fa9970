import { type ReactNode, useState } from 'react';
import { useApi } from '../api/query.ts';
import { Button } from '../parts/button.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { AnswerForm } from './answer-form.tsx';
import { CallDecision } from './call-decision.tsx';
import { DecidedLine } from './decided-line.tsx';
import { isLongRequest, RequestBody } from './request-body.tsx';
import './request.css';

interface RequestCardProps {
  readonly id: string;
  /** Binds the keys a, d and e, for a page that shows one request. */
  readonly keys?: boolean;
}

/** A request to a person in full, and its decision. It follows what others decide meanwhile. */
export function RequestCard({ id, keys = false }: RequestCardProps): ReactNode {
  // The arguments that were shown in full: others may take their place.
  const [seen, setSeen] = useState<string>();
  const query = useApi('/v1/approvals/{id}', { params: { path: { id } } });
  return (
    <QueryState query={query}>
      {(approval) => {
        const isOpen = approval.status === 'pending';
        const shown = approval.argumentsHash ?? approval.id;
        const isShown = seen === shown || !isLongRequest(approval);
        return (
          <article className={`card request ${isOpen ? 'card-wait' : ''}`} aria-label="Request">
            <RequestBody approval={approval} isShown={isShown} />
            {!isShown && <Button onClick={() => setSeen(shown)}>Show all</Button>}
            {!isOpen && <DecidedLine approval={approval} />}
            {approval.kind === 'tool' ? (
              <CallDecision approval={approval} keys={keys} isShown={isShown} />
            ) : (
              <AnswerForm approval={approval} keys={keys} />
            )}
          </article>
        );
      }}
    </QueryState>
  );
}
