import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { JsonView } from '../../../parts/json-view.tsx';
import { KeyValues } from '../../../parts/key-values.tsx';
import { MarkdownView } from '../../../parts/markdown-view.tsx';
import type { ViewProps } from '../view-props.ts';
import { Artifacts } from './artifacts.tsx';
import { FileChanges } from './file-changes.tsx';

/** The run as a whole: what it waits for, its answer or its failure, what it changed. */
export function RunSummary({ answer, moment }: Pick<ViewProps, 'answer' | 'moment'>): ReactNode {
  const { run } = answer;
  const { tree, isNow } = moment;
  const vars = Object.keys(tree.root.vars).length > 0;
  return (
    <div className="stack step-details">
      <h2>The run</h2>
      {isNow && run.waitingFor !== undefined && <Waiting waiting={run.waitingFor} />}
      {isNow && run.failure !== undefined && (
        <div className="error-state" role="alert">
          <b>{run.failure.message}</b>
          <code className="small muted">{run.failure.code}</code>
        </div>
      )}
      <KeyValues
        pairs={[
          ['Goal', run.goal],
          ['Kind', run.kind],
          [
            'Graph',
            run.graph === undefined ? undefined : (
              <Link key="graph" className="link" href={`/graphs/${run.graph}`}>
                {run.graph}
              </Link>
            ),
          ],
          ['State', tree.root.state],
          ['Undone', tree.root.isUndone ? 'yes, its file changes were undone' : undefined],
        ]}
      />
      {vars && (
        <section aria-label="Variables">
          <h3>Variables</h3>
          <div className="step-value">
            <JsonView value={tree.root.vars} open={2} />
          </div>
        </section>
      )}
      {isNow && run.status === 'completed' && <Output output={answer.output} />}
      {isNow && <FileChanges run={run.id} />}
      {isNow && <Artifacts run={run.id} artifacts={run.artifacts} />}
      <p className="small muted">
        Select a step to see why it happened. <kbd>j</kbd> <kbd>k</kbd>
      </p>
    </div>
  );
}

type WaitingFor = NonNullable<ViewProps['answer']['run']['waitingFor']>;

function Waiting({ waiting }: { readonly waiting: WaitingFor }): ReactNode {
  return (
    <div className="run-waiting">
      <b>{waiting.approval === undefined ? `Waits for ${waiting.what}` : 'Waits for you'}</b>
      <p>{waiting.request?.question ?? waiting.request?.effect ?? waiting.detail}</p>
      {waiting.approval === undefined ? (
        <p className="small muted mono">{waiting.next}</p>
      ) : (
        <Link className="button button-primary" href={`/approvals?selected=${waiting.approval}`}>
          Answer
        </Link>
      )}
    </div>
  );
}

function Output({ output }: { readonly output: unknown }): ReactNode {
  if (output === null || output === undefined) return null;
  const text = typeof output === 'string' ? output : undefined;
  return (
    <section aria-label="Output">
      <div className="row">
        <h3>Output</h3>
        <span className="row-end">
          <CopyButton text={text ?? JSON.stringify(output, undefined, 2)} label="Copy output" />
        </span>
      </div>
      <div className="step-value">
        {text === undefined ? <JsonView value={output} open={2} /> : <MarkdownView text={text} />}
      </div>
    </section>
  );
}
