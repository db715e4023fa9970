import { type ReactNode, useMemo } from 'react';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChips } from '../../parts/filter-chips.tsx';
import { plural } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { SplitView } from '../../parts/split-view.tsx';
import { StatusMark, statusWord } from '../../parts/status-mark.tsx';
import { useActions } from '../../state/actions.ts';
import { showInfo } from '../../state/toasts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { ProcedurePanel } from './procedure-panel.tsx';

type Procedures = Answer<'/v1/procedures'>;
type Procedure = Procedures['procedures'][number];
type Score = Answer<'/v1/procedures/score', 'post'>;

const STATUSES = ['given', 'promoted', 'candidate', 'demoted', 'forgotten'] as const;

/** Procedures, given and learned, with the evidence of the chosen one. */
export function ProceduresTab(): ReactNode {
  const query = useApi('/v1/procedures');
  const score = useAction('post', '/v1/procedures/score', {
    onDone: (report) => showInfo(scoreText(report)),
  });
  const { mutate } = score;
  useActions(
    useMemo(
      () => [
        { id: 'procedures.score', label: 'Learn procedures from runs', run: () => mutate({ body: {} }) },
      ],
      [mutate],
    ),
  );
  return (
    <div className="stack memory-tab">
      <div className="row">
        <FilterChips
          label="Status"
          param="status"
          options={STATUSES.map((value) => ({ value, label: statusWord(value) }))}
        />
        <div className="row-end">
          <Button busy={score.isPending} onClick={() => mutate({ body: {} })}>
            Learn from runs
          </Button>
        </div>
      </div>
      <QueryState query={query}>{(answer) => <ProcedureLists answer={answer} />}</QueryState>
    </div>
  );
}

function ProcedureLists({ answer }: { readonly answer: Procedures }): ReactNode {
  const [status] = useUrlParam('status');
  const [chosen, choose] = useUrlParam('procedure');
  const shown = answer.procedures.filter((one) => status === '' || one.status === status);
  return (
    <SplitView
      label="Procedure"
      list={
        <div className="stack">
          {!answer.trusted && (
            <p className="memory-notice small">
              The procedure files of this project are ignored, because it is not trusted. Run: oka trust
            </p>
          )}
          {answer.faults.length > 0 && <Faults faults={answer.faults} />}
          <Card flush>
            {shown.length === 0 && (
              <EmptyState title={status === '' ? 'No procedures yet' : 'No procedure has this status.'}>
                <p>Oka learns one from runs that solved the same kind of goal.</p>
              </EmptyState>
            )}
            {shown.map((procedure) => (
              <ProcedureRow
                key={procedure.id}
                procedure={procedure}
                isChosen={procedure.id === chosen}
                onChoose={choose}
              />
            ))}
          </Card>
          {answer.forming.length > 0 && <Forming forming={answer.forming} />}
        </div>
      }
      panel={chosen === '' ? undefined : <ProcedurePanel key={chosen} id={chosen} />}
      onClose={() => choose('')}
    />
  );
}

interface ProcedureRowProps {
  readonly procedure: Procedure;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function ProcedureRow({ procedure, isChosen, onChoose }: ProcedureRowProps): ReactNode {
  const { id, name, status, description, trigger, steps } = procedure;
  return (
    <button
      type="button"
      className="memory-row memory-row-auto"
      aria-pressed={isChosen}
      onClick={() => onChoose(id)}
    >
      <span className="row">
        <b className="ellipsis">{name}</b>
        <StatusMark status={status} />
        <span className="small muted row-end">{plural(steps.length, 'step')}</span>
      </span>
      <span className="small muted ellipsis">
        {description ?? [...trigger.phrases, ...trigger.words].join(', ')}
      </span>
    </button>
  );
}

function Faults({ faults }: Pick<Procedures, 'faults'>): ReactNode {
  return (
    <Card title="Problems in procedure files" tone="wait">
      <ul className="memory-plain">
        {faults.map(({ path, line, message, next }) => (
          <li key={`${path}:${line}:${message}`}>
            <code>
              {path}:{line}
            </code>{' '}
            {message} <span className="muted">{next}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Forming({ forming }: Pick<Procedures, 'forming'>): ReactNode {
  return (
    <Card title="Forming">
      <ul className="memory-plain">
        {forming.map(({ goals, finished, independent, needed }) => (
          <li key={goals}>
            {goals}{' '}
            <span className="muted">
              · {plural(finished, 'finished run')}, {independent} of {needed} independent
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function scoreText({ scored, proposed, promoted, demoted }: Score): string {
  const parts = [
    [proposed, 'proposed'],
    [promoted, 'promoted'],
    [demoted, 'demoted'],
  ] as const;
  const changed = parts.filter(([ids]) => ids.length > 0).map(([ids, what]) => `${ids.length} ${what}`);
  const result = changed.length === 0 ? 'nothing new' : changed.join(', ');
  return `${plural(scored, 'run')} scored: ${result}.`;
}
