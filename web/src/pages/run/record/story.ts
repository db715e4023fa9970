// Owns: the explanation of a run as lines in order, up to a moment.

import type { Answer } from '../../../api/query.ts';
import { stepStatus } from './step-status.ts';
import type { Step, TreeRecord } from './types.ts';

type Explained = Answer<'/v1/runs/{run}/explain'>;
type Action = Explained['actions'][number];

export interface StoryLine {
  readonly at: number;
  readonly text: string;
  readonly status?: string;
  /** The step that it is about. */
  readonly key?: string;
  readonly why?: string;
  readonly notes: readonly string[];
}

const MAX_VALUE = 200;

export function storyLines(
  { actions, notes, recoveries, run }: Explained,
  tree: TreeRecord,
): readonly StoryLine[] {
  const steps = stepsByNumber(tree);
  const lines: readonly StoryLine[] = [
    { at: tree.root.startedAt, text: `Started: ${run.goal ?? run.kind}`, notes: [] },
    ...actions.map((action) => tellAction(action, steps.get(action.step))),
    ...recoveries.map(({ at, what }) => ({ at, text: `Recovery: ${what}`, notes: [] })),
    ...notes.map(({ at, what }) => ({ at, text: sentence(what), notes: [] })),
  ];
  return lines.filter(({ at }) => at <= tree.at).toSorted((a, b) => a.at - b.at);
}

function stepsByNumber({ root }: TreeRecord): ReadonlyMap<number, Step> {
  const found = new Map<number, Step>();
  for (const step of root.steps)
    for (let number = step.step; number <= step.last; number++) found.set(number, step);
  return found;
}

function tellAction(action: Action, step: Step | undefined): StoryLine {
  const isSettled = step?.endedAt !== undefined;
  const result = isSettled ? outcomeOf(action) : undefined;
  return {
    at: action.at,
    text: `${action.step}. ${whatOf(action)}`,
    ...(step !== undefined && { key: step.key, status: stepStatus(step).status }),
    ...(action.rationale !== '' && { why: `Because ${action.rationale}` }),
    notes: [...action.verdicts.map(sentence), ...(result === undefined ? [] : [result])],
  };
}

function whatOf({ decision, tool, input, state }: Action): string {
  switch (decision) {
    case 'call_tool':
      return `In ${state}: called ${tool} with ${short(input)}`;
    case 'transition':
      return `In ${state}: went on to ${String(input)}`;
    case 'ask_human':
      return `In ${state}: asked a person: ${String(input)}`;
    case 'finish':
      return `In ${state}: finished`;
    default:
      return `In ${state}: gave up`;
  }
}

function outcomeOf({ failure, output, decision, expected }: Action): string | undefined {
  if (expected) return `Nothing found: ${failure?.message}`;
  if (failure !== undefined) return `Failed with ${failure.code}: ${failure.message}`;
  if (output === undefined || decision === 'transition') return undefined;
  return `Answer: ${short(output)}`;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
