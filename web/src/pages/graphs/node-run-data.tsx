import type { ReactNode } from 'react';
import { useAction } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { shortId } from '../../parts/format.ts';
import { JsonView } from '../../parts/json-view.tsx';
import type { WatchedRun } from './use-run-data.ts';

interface NodeRunDataProps {
  readonly watched: WatchedRun;
  readonly node: string;
  readonly onStarted: (run: string) => void;
}

/** What went into a node and came out of it, and a new run from there with that data. */
export function NodeRunData({ watched, node, onStarted }: NodeRunDataProps): ReactNode {
  const { run } = watched;
  const data = watched.data.get(node);
  const fork = useAction('post', '/v1/runs/{run}/fork', { onDone: (answer) => onStarted(answer.run.id) });
  const { step } = data ?? {};
  return (
    <section className="graph-data" aria-label={`Data of ${node}`}>
      <h2>Data of run {shortId(run.id)}</h2>
      {data === undefined || data.visits === 0 ? (
        <p className="small muted">The run did not enter this node.</p>
      ) : (
        <>
          {data.visits > 1 && <p className="small muted">Entered {data.visits} times; this is the last.</p>}
          {data.why !== undefined && <p className="small muted">{data.why}</p>}
          {data.failure !== undefined && (
            <p className="field-error">{`${data.failure.message ?? ''} (${data.failure.code})`}</p>
          )}
          {data.input !== undefined && (
            <>
              <h3>Input</h3>
              <JsonView value={data.input} />
            </>
          )}
          {data.input === undefined && run.forkedFrom !== undefined && (
            <p className="small muted">Its input is recorded in run {shortId(run.forkedFrom.run)}.</p>
          )}
          {data.output !== undefined && (
            <>
              <h3>Output</h3>
              <JsonView value={data.output} />
            </>
          )}
        </>
      )}
      {step !== undefined && run.simulated !== true && (
        <div className="graph-fork">
          <Button
            busy={fork.isPending}
            onClick={() => fork.mutate({ params: { path: { run: run.id } }, body: { step, vars: {} } })}
          >
            Run from here
          </Button>
          <p className="small muted">
            Starts a new run before this node with the data that run {shortId(run.id)} had recorded. Earlier
            nodes are not repeated. It uses the graph as it was in that run, not your edits.
          </p>
        </div>
      )}
    </section>
  );
}
