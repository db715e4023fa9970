import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunListItem } from '../../api/types.ts';
import { IdChip } from '../../parts/id-chip.tsx';
import { Duration, RelativeTime } from '../../parts/relative-time.tsx';
import { runName } from '../../parts/run-line.tsx';
import { StatusMark, shownStatus } from '../../parts/status-mark.tsx';

/** A row of the list of runs. */
export const RunRow = memo(function RunRow({ run }: { readonly run: RunListItem }): ReactNode {
  return (
    <div className="run-row">
      <StatusMark status={shownStatus(run)} look="plain" />
      <Link className="ellipsis run-goal" href={`/runs/${run.id}`} title={runName(run)}>
        {runName(run)}
        {run.waitingFor !== undefined && <span className="muted"> · {run.waitingFor.what}</span>}
        {run.failureCode !== undefined && <span className="muted"> · {run.failureCode}</span>}
        {run.simulated && <span className="muted"> · simulated</span>}
      </Link>
      <IdChip id={run.id} />
      <span className="muted run-kind">{run.kind}</span>
      <span className="muted number">
        <RelativeTime at={run.startedAt} />
      </span>
      <span className="muted number run-took">
        <Duration from={run.startedAt} to={run.endedAt} />
      </span>
    </div>
  );
});
