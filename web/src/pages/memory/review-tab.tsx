import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { shortId } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { showInfo } from '../../state/toasts.ts';
import { useShortcuts } from '../../state/use-shortcuts.ts';

type Quarantined = Answer<'/v1/memory/review'>[number];

const SHOWN = 100;

/** Facts that nobody confirmed: those of runs that had read untrusted content, and candidates. */
export function ReviewTab(): ReactNode {
  const query = useApi('/v1/memory/review', { params: { query: { limit: SHOWN } } });
  return (
    <div className="stack memory-tab">
      <p className="muted">
        Nobody confirmed these facts. Runs see candidates, marked as not confirmed. No run sees facts of runs
        that had read untrusted content.
      </p>
      <QueryState query={query}>
        {(facts) =>
          facts.length === 0 ? (
            <Card flush>
              <EmptyState title="Nothing to review">
                <p>Facts that an agent learns from a web page or a foreign file appear here first.</p>
              </EmptyState>
            </Card>
          ) : (
            <ReviewList facts={facts} />
          )
        }
      </QueryState>
    </div>
  );
}

/** The list with j and k to move, a to confirm and d to reject. */
function ReviewList({ facts }: { readonly facts: readonly Quarantined[] }): ReactNode {
  const [selected, setSelected] = useState<string>();
  const [rejecting, setRejecting] = useState<Quarantined>();
  const confirm = useAction('post', '/v1/memory/review/{id}/confirm', {
    onDone: ({ outcome }) =>
      showInfo(outcome === 'added' ? 'Fact confirmed.' : 'The fact was known already.'),
  });
  const reject = useAction('post', '/v1/memory/review/{id}/reject', {
    onDone: () => {
      showInfo('Fact rejected and erased.');
      setRejecting(undefined);
    },
  });
  const onConfirm = ({ id }: Quarantined): void => confirm.mutate({ params: { path: { id } }, body: {} });
  const index = Math.max(
    facts.findIndex(({ id }) => id === selected),
    0,
  );
  const current = facts[index];
  const move = (by: number): void =>
    setSelected(facts[Math.min(Math.max(index + by, 0), facts.length - 1)]?.id);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => current !== undefined && !confirm.isPending && onConfirm(current),
    d: () => setRejecting(current),
  });
  return (
    <>
      <Card flush>
        <ul className="memory-hits" aria-label="Facts to review">
          {facts.map((fact) => (
            <li key={fact.id} data-selected={fact.id === current?.id}>
              <ReviewItem
                fact={fact}
                busy={confirm.isPending && confirm.variables.params.path.id === fact.id}
                onConfirm={() => onConfirm(fact)}
                onReject={() => setRejecting(fact)}
              />
            </li>
          ))}
        </ul>
      </Card>
      <p className="small muted">
        {facts.length === SHOWN && `The newest ${SHOWN}. `}
        <kbd>j</kbd> <kbd>k</kbd> move · <kbd>a</kbd> confirm · <kbd>d</kbd> reject
      </p>
      <Confirm
        title="Reject this fact?"
        open={rejecting !== undefined}
        action="Reject"
        danger
        busy={reject.isPending}
        onConfirm={() => rejecting && reject.mutate({ params: { path: { id: rejecting.id } }, body: {} })}
        onClose={() => setRejecting(undefined)}
      >
        <p className="memory-text memory-clamp">{rejecting?.text}</p>
        <p className="muted">Its text is erased. This cannot be undone.</p>
      </Confirm>
    </>
  );
}

interface ReviewItemProps {
  readonly fact: Quarantined;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onReject: () => void;
}

function ReviewItem({ fact, busy, onConfirm, onReject }: ReviewItemProps): ReactNode {
  return (
    <div className="memory-review">
      <div>
        <p className="memory-text">{fact.text}</p>
        <p className="small muted memory-review-facts">
          {fact.run === undefined ? (
            <span>candidate from {fact.source ?? 'an unknown source'}</span>
          ) : (
            <Link className="link" href={`/runs/${fact.run}`}>
              Run {shortId(fact.run)}
            </Link>
          )}
          {fact.contradicts?.map((id) => (
            <Link key={id} className="link" href={`/memory?fact=${id}`}>
              contradicts {shortId(id)}
            </Link>
          ))}
          {fact.origin !== undefined && <span>had read {fact.origin}</span>}
          <span>{fact.namespace}</span>
          <span>importance {fact.importance}</span>
          <span>confidence {Math.round(fact.confidence * 100)} %</span>
          {fact.expiresAt !== undefined && (
            <span>
              expires <RelativeTime at={fact.expiresAt} />
            </span>
          )}
          <RelativeTime at={fact.at} />
        </p>
      </div>
      <div className="row">
        <Button look="primary" busy={busy} onClick={onConfirm}>
          Confirm
        </Button>
        <Button look="danger" onClick={onReject}>
          Reject…
        </Button>
      </div>
    </div>
  );
}
