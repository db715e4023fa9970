import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { formatCount, formatMoney } from '../../../parts/format.ts';
import { JsonView } from '../../../parts/json-view.tsx';
import { KeyValues } from '../../../parts/key-values.tsx';
import { type StepFacts, stepFacts } from '../record/step-facts.ts';
import { stepLabel } from '../record/step-label.ts';
import type { Step, TreeRecord } from '../record/types.ts';
import type { ViewProps } from '../view-props.ts';
import { Artifacts } from './artifacts.tsx';
import { FileChanges } from './file-changes.tsx';
import { PromptManifest } from './prompt-manifest.tsx';

interface StepDetailsProps extends ViewProps {
  readonly step: Step;
}

/** Everything that is recorded about a step. */
export function StepDetails({ step, answer, moment, selection }: StepDetailsProps): ReactNode {
  const facts = stepFacts(step);
  const asked = facts.model === undefined ? askedBefore(moment.tree, step) : undefined;
  return (
    <div className="stack step-details">
      {facts.failure !== undefined && (
        <div className="error-state" role="alert">
          <b>{facts.failure.message}</b>
          <code className="small muted">{facts.failure.code}</code>
        </div>
      )}
      <KeyValues
        pairs={[
          ['Why', facts.rationale],
          ['Tool', step.tool === undefined ? undefined : <code key="tool">{step.tool}</code>],
          ['Decided by', facts.rules.length === 0 ? undefined : <Lines key="rules" lines={facts.rules} />],
          ['Model', facts.model === undefined ? undefined : `${facts.model.provider}/${facts.model.model}`],
          [
            'Asked in',
            asked === undefined ? undefined : (
              <Button
                key="asked"
                look="quiet"
                className="step-link"
                onClick={() => selection.choose(asked.key)}
              >
                step {asked.step}: {stepLabel(asked)}
              </Button>
            ),
          ],
          ['Tokens', tokensOf(step)],
          ['Cost', step.spend['cost_usd'] === undefined ? undefined : formatMoney(step.spend['cost_usd'])],
          ['Resumable', facts.resumable],
          [
            'Recoveries',
            facts.recoveries.length === 0 ? undefined : <Lines key="recoveries" lines={facts.recoveries} />,
          ],
          [
            'Runs',
            step.children.length === 0 ? undefined : (
              <ChildLinks key="runs" ids={step.children} moment={moment} />
            ),
          ],
        ]}
      />
      {facts.approval !== undefined && step.status === 'waiting' && moment.isNow && (
        <Link className="button button-primary" href={`/approvals?selected=${facts.approval}`}>
          Answer
        </Link>
      )}
      <Value title="Input" facts={facts} name="input" />
      {facts.path !== undefined && <FileChanges run={answer.run.id} path={facts.path} />}
      <Value title="Output" facts={facts} name="output" />
      <Artifacts run={answer.run.id} artifacts={facts.artifacts} />
      {facts.model?.manifest !== undefined && <PromptManifest manifest={facts.model.manifest} />}
      {facts.isErased && (
        <p className="small muted">The content of this step was erased. Its events remain.</p>
      )}
    </div>
  );
}

/** The step in which the model decided on a call that follows later. */
function askedBefore({ runs }: TreeRecord, { run, step, tool }: Step): Step | undefined {
  if (tool === undefined) return undefined;
  return runs
    .get(run)
    ?.steps.findLast((other) => other.step < step && other.spend['model_calls'] !== undefined);
}

function tokensOf({ spend }: Step): string | undefined {
  const { input_tokens: input, output_tokens: output } = spend;
  if (input === undefined && output === undefined) return undefined;
  return `${formatCount(input ?? 0)} in, ${formatCount(output ?? 0)} out`;
}

function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((line) => <div key={line}>{line}</div>);
}

const MAX_LINKS = 20;

function ChildLinks({
  ids,
  moment,
}: Pick<ViewProps, 'moment'> & { readonly ids: readonly string[] }): ReactNode {
  return (
    <>
      {ids.slice(0, MAX_LINKS).map((id) => (
        <div key={id}>
          <Link className="link" href={`/runs/${id}`}>
            {moment.tree.runs.get(id)?.goal || id}
          </Link>
        </div>
      ))}
      {ids.length > MAX_LINKS && <div>and {formatCount(ids.length - MAX_LINKS)} more</div>}
    </>
  );
}

interface ValueProps {
  readonly title: string;
  readonly facts: StepFacts;
  readonly name: 'input' | 'output';
}

function Value({ title, facts, name }: ValueProps): ReactNode {
  const value = facts[name];
  if (value === undefined) return null;
  return (
    <section aria-label={title}>
      <div className="row">
        <h3>{title}</h3>
        <span className="row-end">
          <CopyButton
            text={typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}
            label={`Copy ${title.toLowerCase()}`}
          />
        </span>
      </div>
      <div className="step-value">
        <JsonView value={value} open={2} />
      </div>
    </section>
  );
}
