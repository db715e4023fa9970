import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { shortId } from '../../parts/format.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { showInfo } from '../../state/toasts.ts';
import { ProcedureEvidence } from './procedure-evidence.tsx';

type Explained = Answer<'/v1/procedures/{procedure}/explain'>;
type Procedure = Explained['procedure'];

/** One procedure: its steps, and why it is where it is. */
export function ProcedurePanel({ id }: { readonly id: string }): ReactNode {
  const query = useApi('/v1/procedures/{procedure}/explain', { params: { path: { procedure: id } } });
  return <QueryState query={query}>{(explained) => <Details explained={explained} />}</QueryState>;
}

function Details({ explained }: { readonly explained: Explained }): ReactNode {
  const { procedure, evidence, precedents, contradictions, waitsFor, history } = explained;
  return (
    <>
      <div className="card-head">
        <h2 className="ellipsis">{procedure.name}</h2>
        <StatusMark status={procedure.status} />
      </div>
      <div className="card-body stack">
        {procedure.description !== undefined && <p>{procedure.description}</p>}
        <KeyValues pairs={pairsOf(procedure)} />
        <Steps steps={procedure.steps} />
        <TextList title="Pitfalls" texts={procedure.pitfalls} />
        <TextList title="Checklist" texts={procedure.checklist} />
        <TextList title="Waits for" texts={waitsFor} />
        {evidence !== undefined && <ProcedureEvidence evidence={evidence} />}
        {precedents.length > 0 && (
          <section>
            <h3>Learned from</h3>
            <p className="memory-review-facts">
              {precedents.map((run) => (
                <RunLink key={run} run={run} />
              ))}
            </p>
          </section>
        )}
        {contradictions.length > 0 && (
          <section>
            <h3>Contradicted by</h3>
            <ul className="memory-plain">
              {contradictions.map(({ run, why }) => (
                <li key={run} className="memory-review-facts">
                  <RunLink run={run} />
                  <span>{why}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {history.length > 0 && (
          <section>
            <h3>History</h3>
            <ul className="memory-plain">
              {history.map(({ at, what, reason }) => (
                <li key={`${at} ${what}`}>
                  {what} <span className="muted">{reason?.detail}</span>{' '}
                  <span className="small muted">
                    <RelativeTime at={at} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Forget procedure={procedure} />
      </div>
    </>
  );
}

function pairsOf(procedure: Procedure): readonly (readonly [string, ReactNode])[] {
  const { trigger, origin, lastValidatedAt, path, reason, basis } = procedure;
  return [
    ['Origin', { built_in: 'Built in', file: 'File', promoted: 'Learned from runs' }[origin]],
    ['File', path],
    ['For goals with', [...trigger.phrases, ...trigger.words].join(', ')],
    ['Validated', lastValidatedAt === undefined ? undefined : <RelativeTime key="at" at={lastValidatedAt} />],
    ['Rests on', [...basis.tools.map(({ name }) => name), ...basis.files.map(({ path }) => path)].join(', ')],
    ['Demoted', reason && `${reason.detail} (${reason.subject})`],
  ];
}

function Steps({ steps }: Pick<Procedure, 'steps'>): ReactNode {
  if (steps.length === 0) return null;
  return (
    <section>
      <h3>Steps</h3>
      <ol className="memory-steps">
        {steps.map(({ title, tool, input }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is the identity of a step.
          <li key={index}>
            {title} {tool !== undefined && <code>{tool}</code>}
            {input !== undefined && <JsonView value={input} open={0} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function TextList({
  title,
  texts,
}: {
  readonly title: string;
  readonly texts: readonly string[];
}): ReactNode {
  if (texts.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="memory-plain">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function RunLink({ run }: { readonly run: string }): ReactNode {
  return (
    <Link className="link" href={`/runs/${run}`}>
      Run {shortId(run)}
    </Link>
  );
}

function Forget({ procedure }: { readonly procedure: Procedure }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const forget = useAction('delete', '/v1/procedures/{procedure}', {
    onDone: () => {
      showInfo('Procedure forgotten.');
      setIsOpen(false);
    },
  });
  if (procedure.status === 'given' || procedure.status === 'forgotten') return null;
  return (
    <div className="row">
      <Button look="danger" onClick={() => setIsOpen(true)}>
        Forget…
      </Button>
      <Confirm
        title={`Forget “${procedure.name}”?`}
        open={isOpen}
        action="Forget"
        danger
        busy={forget.isPending}
        onConfirm={() => forget.mutate({ params: { path: { procedure: procedure.id } } })}
        onClose={() => setIsOpen(false)}
      >
        <p className="muted">Its steps are erased and it is never learned again. This cannot be undone.</p>
      </Confirm>
    </div>
  );
}
