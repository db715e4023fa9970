import { type Action, ActionWordings, isCounted } from '../../../../src/api/describe-action.ts';
import type { Answer } from '../../api/query.ts';
import { formatDuration } from '../../parts/format.ts';

export type StepAction = Answer<'/v1/runs/{run}/explain'>['actions'][number];

/** Calls that share a line. */
export interface ActionGroup {
  readonly key: string;
  readonly line: string;
  readonly hasFailed: boolean;
  readonly steps: readonly StepAction[];
}

const wordings = new ActionWordings({ clip, duration: formatDuration });

/** One line per tool call; calls of one kind that follow each other share it. */
export function actionGroups(actions: readonly StepAction[]): readonly ActionGroup[] {
  const groups: StepAction[][] = [];
  for (const step of actions) {
    if (step.tool === undefined || step.outcome === undefined) continue;
    const last = groups.at(-1);
    if (last?.[0] !== undefined && sharesLine(last[0], step)) last.push(step);
    else groups.push([step]);
  }
  return groups.map((steps) => ({
    key: String(steps[0]?.step),
    line: wordings.actions(steps.map(toAction)),
    hasFailed: steps.some(({ failure }) => failure !== undefined),
    steps,
  }));
}

function sharesLine(last: StepAction, next: StepAction): boolean {
  const hasFailed = last.failure !== undefined || next.failure !== undefined;
  return !hasFailed && last.tool === next.tool && isCounted(next.tool ?? '');
}

function toAction({ tool = '', input, output, failure }: StepAction): Action {
  const diff = diffOf(output);
  const lines = diff?.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line)) ?? [];
  const added = lines.filter((line) => line.startsWith('+')).length;
  return {
    tool,
    input: fieldsOf(input),
    output: fieldsOf(output),
    ...(failure !== undefined && { failure: failure.message }),
    ...(diff !== undefined && { change: { added, removed: lines.length - added, lines } }),
  };
}

/** The unified diff that a file tool returns. */
export function diffOf(output: unknown): string | undefined {
  const { diff } = fieldsOf(output);
  return typeof diff === 'string' && diff !== '' ? diff : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function clip(text: string, columns: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}
