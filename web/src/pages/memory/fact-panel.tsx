import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { shortId } from '../../parts/format.ts';
import { IdChip } from '../../parts/id-chip.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { showInfo } from '../../state/toasts.ts';
import { type Fact, factState, runOfSource } from './fact-state.ts';

/** One fact with its origin and what it rests on. */
export function FactPanel({ id, onGone }: { readonly id: string; readonly onGone: () => void }): ReactNode {
  const query = useApi('/v1/memory/facts/{id}', { params: { path: { id } } });
  return <QueryState query={query}>{(fact) => <FactDetails fact={fact} onGone={onGone} />}</QueryState>;
}

function FactDetails({ fact, onGone }: { readonly fact: Fact; readonly onGone: () => void }): ReactNode {
  const [isDeleting, setIsDeleting] = useState(false);
  const remove = useAction('delete', '/v1/memory/facts/{id}', {
    onDone: () => {
      showInfo('Fact erased.');
      onGone();
    },
  });
  return (
    <>
      <div className="card-head">
        <h2>Fact</h2>
        <StatusMark status={factState(fact, Date.now())} />
      </div>
      <div className="card-body stack">
        <p className="memory-text">{fact.text}</p>
        <KeyValues pairs={pairsOf(fact)} />
        <div className="row">
          <Button look="danger" onClick={() => setIsDeleting(true)}>
            Delete…
          </Button>
        </div>
      </div>
      <Confirm
        title="Delete this fact?"
        open={isDeleting}
        action="Delete"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { path: { id: fact.id } } })}
        onClose={() => setIsDeleting(false)}
      >
        <p className="memory-text memory-clamp">{fact.text}</p>
        <p className="muted">
          Its text is erased from the ledger, the index and the vectors. This cannot be undone. The ledger
          keeps that something was erased, by whom and when.
        </p>
      </Confirm>
    </>
  );
}

function pairsOf(fact: Fact): readonly (readonly [string, ReactNode])[] {
  const run = runOfSource(fact.source);
  return [
    ['Id', <IdChip key="id" id={fact.id} />],
    ['Namespace', fact.namespace],
    ['Added', <RelativeTime key="at" at={fact.at} />],
    ['Importance', `${fact.importance} of 5`],
    ['Confidence', `${Math.round(fact.confidence * 100)} %`],
    ['By', fact.by],
    ['Used', fact.uses === 0 ? 'never' : `in ${fact.uses} runs, ${fact.successes} with success`],
    [
      'Source',
      run === undefined ? (
        fact.source
      ) : (
        <Link key="source" className="link" href={`/runs/${run}`}>
          Run {shortId(run)}
        </Link>
      ),
    ],
    [
      'Rests on',
      fact.restsOn && (
        <Link key="rests" className="link" href={`/context?node=${encodeURIComponent(fact.restsOn.path)}`}>
          {fact.restsOn.path}
        </Link>
      ),
    ],
    ['File', fact.stale ? 'It has changed since the fact was added.' : undefined],
    ['File', fact.unchecked ? 'It was not compared with the disk; scan the workspace.' : undefined],
    ['Key', fact.key],
    [
      'Expires',
      fact.expiresAt === undefined ? undefined : <RelativeTime key="expires" at={fact.expiresAt} />,
    ],
    [
      'Replaced by',
      fact.supersededBy === undefined ? undefined : (
        <Link key="by" className="link" href={`/memory?fact=${fact.supersededBy}`}>
          {shortId(fact.supersededBy)}
        </Link>
      ),
    ],
  ];
}
