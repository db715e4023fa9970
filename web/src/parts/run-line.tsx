import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunListItem } from '../api/types.ts';
import { Duration, RelativeTime } from './relative-time.tsx';
import { StatusMark, shownStatus } from './status-mark.tsx';

type Shown = Pick<
  RunListItem,
  'id' | 'kind' | 'status' | 'outcome' | 'goal' | 'startedAt' | 'endedAt' | 'waitingFor' | 'failureCode'
>;

/** What a run is called: its goal, or its kind if it has none. */
export const runName = ({ goal, kind }: Pick<RunListItem, 'goal' | 'kind'>): string => goal ?? kind;

/** A run in one line of a card. */
export function RunLine({ run }: { readonly run: Shown }): ReactNode {
  return (
    <Link href={`/runs/${run.id}`} className="run-line">
      <StatusMark status={shownStatus(run)} look="shape" />
      <span className="ellipsis">
        <b>{runName(run)}</b>
        {run.waitingFor !== undefined && (
          <span className="muted">
            {' '}
            · {run.waitingFor.what}
            {run.waitingFor.until !== undefined && (
              <>
                {' '}
                until <RelativeTime at={run.waitingFor.until} />
              </>
            )}
          </span>
        )}
        {run.failureCode !== undefined && <span className="muted"> · {run.failureCode}</span>}
      </span>
      <span className="small muted number">
        <Duration from={run.startedAt} to={run.endedAt} />
      </span>
    </Link>
  );
}
