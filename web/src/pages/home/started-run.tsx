import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RunLine } from '../../parts/run-line.tsx';
import { OutputText } from './output-text.tsx';

/** The run that was just started here, until it has an answer. */
export function StartedRun({ id }: { readonly id: string }): ReactNode {
  const query = useApi('/v1/runs/{run}', { params: { path: { run: id } } });
  return (
    <Card flush label="Started here">
      <QueryState query={query}>
        {({ run, output }) => (
          <>
            <RunLine run={run} />
            {run.status === 'completed' && <OutputText output={output} />}
            {run.failure !== undefined && <p className="started-output">{run.failure.message}</p>}
          </>
        )}
      </QueryState>
    </Card>
  );
}
