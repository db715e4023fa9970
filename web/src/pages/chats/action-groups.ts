import {
  type Action,
  ActionWordings,
  circumstancesOf,
  sharesLine,
} from '../../../../src/api/describe-action.ts';
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
    if (step.tool === undefined || isRequest(step)) continue;
    const last = groups.at(-1);
    if (last?.[0] !== undefined && sharesLine(toAction(last[0]), toAction(step))) last.push(step);
    else groups.push([step]);
  }
  return groups.map((steps) => ({
    key: String(steps[0]?.step),
    line: lineOf(steps.map(toAction), steps[0]?.outcome),
    hasFailed: steps.some(
      ({ outcome, expected }) => !expected && (outcome === 'failed' || outcome === 'refused'),
    ),
    steps,
  }));
}

/** A request has a card while it waits; once it is approved, the call itself follows as another step. */
function isRequest({ outcome, output }: StepAction): boolean {
  return outcome === 'waiting' || (outcome === 'ok' && output === undefined);
}

function lineOf(actions: readonly Action[], outcome: StepAction['outcome']): string {
  const [first] = actions as [Action, ...Action[]];
  const isEnded = outcome === 'ok' || outcome === 'failed' || outcome === 'refused';
  return isEnded ? wordings.actions(actions) : wordings.running(first);
}

function toAction(step: StepAction): Action {
  const { tool = '', input, output, failure, outcome, expected } = step;
  const diff = diffOf(output);
  const lines = diff?.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line)) ?? [];
  const added = lines.filter((line) => line.startsWith('+')).length;
  return {
    tool,
    input: fieldsOf(input),
    output: fieldsOf(output),
    ...circumstancesOf(step, { tool, output: fieldsOf(output) }),
    ...(failure !== undefined && (expected ? { miss: failure.code } : { failure: failure.message })),
    ...(outcome === 'refused' && { isRefused: true as const }),
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
