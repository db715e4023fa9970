import { type ReactNode, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { outputText } from '../../../../src/api/output-text.ts';
import { type Answer, useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import type { PageProps } from '../../frame/page-entry.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ExportRunAction } from '../../parts/export-run-action.tsx';
import { shortId } from '../../parts/format.ts';
import { IdChip } from '../../parts/id-chip.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { runName } from '../../parts/run-line.tsx';
import { StatusMark, shownStatus } from '../../parts/status-mark.tsx';
import { alignSteps } from './align-steps.ts';
import { CompareAction } from './compare-action.tsx';
import { figuresOf } from './figures.ts';
import { StepRows } from './step-rows.tsx';
import { ValueDiff } from './value-diff.tsx';
import './run-compare.css';

type RunAnswer = Answer<'/v1/runs/{run}'>;
type Explained = Answer<'/v1/runs/{run}/explain'>;

const CRUMBS = [{ label: 'Runs', href: '/runs' }];

/** Two runs side by side: their outcome, figures and steps, with the first difference marked. */
export default function RunComparePage({ params }: PageProps): ReactNode {
  const [left, right] = [params['run'] ?? '', params['other'] ?? ''];
  const [, navigate] = useLocation();
  return (
    <Page
      title={`Compare ${shortId(left)} with ${shortId(right)}`}
      crumbs={CRUMBS}
      width="wide"
      actions={
        <>
          <Button onClick={() => navigate(`/runs/${right}/compare/${left}`)}>Swap</Button>
          <CompareAction run={left} label="Other run…" />
          <ExportRunAction run={left} label="Export A…" />
        </>
      }
    >
      <Comparison left={left} right={right} />
    </Page>
  );
}

interface Sides<T> {
  readonly left: T;
  readonly right: T;
}

function Comparison({ left, right }: Sides<string>): ReactNode {
  const one = useApi('/v1/runs/{run}', { params: { path: { run: left } } });
  const other = useApi('/v1/runs/{run}', { params: { path: { run: right } } });
  return (
    <QueryState query={one}>
      {(first) => (
        <QueryState query={other}>
          {(second) => (
            <div className="stack">
              <div className="compare-heads">
                <Head name="A" answer={first} />
                <Head name="B" answer={second} />
              </div>
              <div className="compare-result">
                <Figures left={first} right={second} />
                <Outcome left={first} right={second} />
              </div>
              <Steps left={left} right={right} />
            </div>
          )}
        </QueryState>
      )}
    </QueryState>
  );
}

function Head({ name, answer: { run } }: { readonly name: string; readonly answer: RunAnswer }): ReactNode {
  return (
    <Card label={`Run ${name}`}>
      <div className="compare-head">
        <span className="compare-name">{name}</span>
        <Link className="compare-goal" href={`/runs/${run.id}`}>
          {runName(run)}
        </Link>
      </div>
      <div className="page-facts">
        <StatusMark status={shownStatus(run)} />
        <IdChip id={run.id} />
        <span>
          started <RelativeTime at={run.startedAt} />
        </span>
        {run.forkedFrom !== undefined && (
          <span>
            forked from <IdChip id={run.forkedFrom.run} /> at step {run.forkedFrom.step}
          </span>
        )}
        {run.resumedFrom !== undefined && (
          <span>
            continues <IdChip id={run.resumedFrom} />
          </span>
        )}
      </div>
    </Card>
  );
}

function Figures({ left, right }: Sides<RunAnswer>): ReactNode {
  return (
    <Card flush label="Figures">
      <table className="compare-figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {figuresOf(left.run, right.run).map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{figure.name}</th>
              <td>{figure.left}</td>
              <td>{figure.right}</td>
              <td className={figure.difference === 'same' ? 'muted' : undefined}>{figure.difference}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Outcome({ left, right }: Sides<RunAnswer>): ReactNode {
  const [one, other] = [outcomeText(left), outcomeText(right)];
  if (one === '' && other === '') return <Card label="Outcome">Neither run has an output yet.</Card>;
  return (
    <Card label="Outcome">
      <ValueDiff label="Outcome" left={one} right={other} />
    </Card>
  );
}

function outcomeText({ run: { failure }, output }: RunAnswer): string {
  if (failure !== undefined) return `${failure.code}: ${failure.message}`;
  return output === undefined || output === null
    ? ''
    : outputText(output as Parameters<typeof outputText>[0]);
}

function Steps({ left, right }: Sides<string>): ReactNode {
  const one = useApi('/v1/runs/{run}/explain', { params: { path: { run: left } } });
  const other = useApi('/v1/runs/{run}/explain', { params: { path: { run: right } } });
  return (
    <QueryState query={one}>
      {(first) => (
        <QueryState query={other}>{(second) => <Aligned left={first} right={second} />}</QueryState>
      )}
    </QueryState>
  );
}

function Aligned({ left, right }: Sides<Explained>): ReactNode {
  const rows = useMemo(() => alignSteps(left.actions, right.actions), [left.actions, right.actions]);
  return <StepRows rows={rows} />;
}
