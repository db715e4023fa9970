import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../api/query.ts';
import { BudgetBar } from '../../parts/budget-bar.tsx';
import {
  formatCount,
  formatDuration,
  formatExact,
  formatMoney,
  formatTokens,
  shortId,
} from '../../parts/format.ts';
import { IdChip } from '../../parts/id-chip.tsx';
import { Duration, RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark, shownStatus } from '../../parts/status-mark.tsx';
import { IntegrityMark } from './integrity-mark.tsx';
import type { Moment } from './use-moment.ts';

interface RunFactsProps {
  readonly answer: Answer<'/v1/runs/{run}'>;
  readonly moment?: Moment | undefined;
}

/** Budgets with a bar of their own, if the run has a limit for them. */
const BARS: readonly (readonly [budget: string, name: string, format: (value: number) => string])[] = [
  ['cost_usd', 'cost', formatMoney],
  ['steps', 'steps', formatCount],
  ['model_calls', 'model calls', formatCount],
];

/** The facts below the title, as of the chosen moment. */
export function RunFacts({ answer: { run }, moment }: RunFactsProps): ReactNode {
  const isThen = moment !== undefined && !moment.isNow;
  const at = isThen ? moment.tree.at : undefined;
  const then = isThen ? moment.tree.root : undefined;
  const status = then?.status ?? shownStatus(run);
  const { used, limits } = then ?? run.budgets;
  const tokens = (used['input_tokens'] ?? 0) + (used['output_tokens'] ?? 0);
  return (
    <>
      <StatusMark status={status} label={isThen ? `${wordOf(status)} then` : waitWord(run)} />
      {!isThen && run.because !== undefined && <span className="run-outcome">{run.because.join('; ')}</span>}
      <IdChip id={run.id} />
      <span>
        started <RelativeTime at={run.startedAt} />
        {', '}
        {at === undefined ? (
          <Duration from={run.startedAt} to={run.endedAt} />
        ) : (
          `${formatDuration(at - run.startedAt)} in`
        )}
      </span>
      {BARS.map(([budget, name, format]) =>
        used[budget] === undefined ? null : (
          <BudgetBar key={budget} name={name} used={used[budget]} limit={limits[budget]} format={format} />
        ),
      )}
      {tokens > 0 && (
        <span
          title={`${formatCount(used['input_tokens'] ?? 0)} in, ${formatCount(used['output_tokens'] ?? 0)} out`}
        >
          tokens <b>{formatTokens(tokens)}</b>
        </span>
      )}
      <Origin run={run} />
      {run.simulated ? (
        <span>simulated: it changed nothing</span>
      ) : (
        <IntegrityMark lastSeq={moment?.whole.events.at(-1)?.seq} />
      )}
      {at !== undefined && <span className="run-then">as of {formatExact(at)}</span>}
    </>
  );
}

const wordOf = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1);

function waitWord(run: RunFactsProps['answer']['run']): string {
  if (run.status !== 'waiting') return wordOf(run.status === 'pending' ? 'queued' : run.status);
  const what = run.waitingFor?.what;
  return what === 'approval' || what === 'answer'
    ? 'Waiting for you'
    : what === undefined
      ? 'Waiting'
      : `Waiting for ${what}`;
}

/** The run that this one continues. */
function Origin({ run }: Pick<RunFactsProps['answer'], 'run'>): ReactNode {
  const { resumedFrom, forkedFrom } = run;
  if (forkedFrom !== undefined)
    return (
      <span>
        forked from{' '}
        <Link className="link" href={`/runs/${forkedFrom.run}?step=${forkedFrom.step}`}>
          {shortId(forkedFrom.run)}, step {forkedFrom.step}
        </Link>
      </span>
    );
  if (resumedFrom === undefined) return null;
  return (
    <span>
      continues{' '}
      <Link className="link" href={`/runs/${resumedFrom}`}>
        {shortId(resumedFrom)}
      </Link>
    </span>
  );
}
