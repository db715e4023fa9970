import type { ReactNode } from 'react';
import { type Answer, useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import type { PageProps } from '../../frame/page-entry.ts';
import { Card } from '../../parts/card.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { shortId } from '../../parts/format.ts';
import { runName } from '../../parts/run-line.tsx';
import { RunActions } from './actions/run-actions.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunTree } from './run-tree.tsx';
import { RunViews } from './run-views.tsx';
import { Simulation } from './simulation.tsx';
import { StepPanel } from './step/step-panel.tsx';
import { type Moment, useMoment } from './use-moment.ts';
import { useRunEvents } from './use-run-events.ts';
import { useSelectedStep } from './use-selected-step.ts';
import './run.css';

const CRUMBS = [{ label: 'Runs', href: '/runs' }];
/** A goal can be a page of text; the title is one line of it. */
const MAX_TITLE = 140;

/** One run: what it did, why, what it cost, and what can be done about it now. */
export default function RunPage({ params }: PageProps): ReactNode {
  const id = params['run'] ?? '';
  const query = useApi('/v1/runs/{run}', { params: { path: { run: id } } });
  if (query.data === undefined)
    return (
      <Page title={`Run ${shortId(id)}`} crumbs={CRUMBS} width="wide">
        <Card flush>
          {query.error === null ? (
            <p className="loading">Loading…</p>
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
        </Card>
      </Page>
    );
  if (query.data.run.simulated) return <Simulated answer={query.data} />;
  return <RecordedRun key={query.data.run.id} answer={query.data} />;
}

type RunAnswer = Answer<'/v1/runs/{run}'>;

const titleOf = ({ run }: RunAnswer): string => {
  const name = runName(run).replaceAll(/\s+/g, ' ');
  return name.length > MAX_TITLE ? `${name.slice(0, MAX_TITLE)}…` : name;
};

function Simulated({ answer }: { readonly answer: RunAnswer }): ReactNode {
  return (
    <Page title={titleOf(answer)} crumbs={CRUMBS} width="wide" facts={<RunFacts answer={answer} />}>
      <Simulation answer={answer} />
    </Page>
  );
}

function RecordedRun({ answer }: { readonly answer: RunAnswer }): ReactNode {
  const { events, isComplete, error, retry } = useRunEvents(answer.run.id);
  const moment = useMoment(events);
  return (
    <Page
      title={titleOf(answer)}
      crumbs={CRUMBS}
      width="wide"
      facts={<RunFacts answer={answer} moment={moment} />}
      actions={<RunActions answer={answer} moment={moment} />}
    >
      {moment === undefined ? (
        <Card flush>
          {error === undefined ? (
            <p className="loading">Loading…</p>
          ) : (
            <ErrorState error={error} onRetry={retry} />
          )}
        </Card>
      ) : (
        <Panels answer={answer} moment={moment} isComplete={isComplete} />
      )}
    </Page>
  );
}

interface PanelsProps {
  readonly answer: RunAnswer;
  readonly moment: Moment;
  readonly isComplete: boolean;
}

function Panels({ answer, moment, isComplete }: PanelsProps): ReactNode {
  const selection = useSelectedStep(moment);
  const isAlone = moment.whole.runs.size === 1 && answer.run.parent === undefined;
  return (
    <div className={`run-grid ${isAlone ? 'run-grid-alone' : ''}`}>
      {!isAlone && <RunTree answer={answer} tree={moment.tree} />}
      <RunViews answer={answer} moment={moment} selection={selection} isComplete={isComplete} />
      <StepPanel answer={answer} moment={moment} selection={selection} />
    </div>
  );
}
