// Owns: what the events of a step say about it. Pure.

import type { Answer } from '../../../api/query.ts';
import { inputOf } from './step-label.ts';
import { bodyOf, dataOf, type Fields, type RunEvent, type Step } from './types.ts';

export type Artifact = Answer<'/v1/runs/{run}'>['run']['artifacts'][number];

export interface StepFacts {
  readonly rationale?: string;
  /** The rules and people that decided about it, in order. */
  readonly rules: readonly string[];
  readonly input?: unknown;
  readonly output?: unknown;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly model?: { readonly provider: string; readonly model: string; readonly manifest?: unknown };
  readonly recoveries: readonly string[];
  readonly artifacts: readonly Artifact[];
  /** The open or decided request to a person. */
  readonly approval?: string;
  /** The file that it changed or wants to change. */
  readonly path?: string;
  /** What a crash during the call would have left. */
  readonly resumable?: string;
  readonly isErased: boolean;
}

export function stepFacts(step: Step): StepFacts {
  const bodies = step.events.map(bodyOf);
  const newest = (name: string): unknown => bodies.findLast((body) => body[name] !== undefined)?.[name];
  const input = inputOf(step);
  const output = step.decision === 'ask_human' ? newest('answer') : newest('output');
  const isFailed = step.status === 'failed' || step.status === 'refused' || step.status === 'cancelled';
  const failure = isFailed ? (newest('failure') as StepFacts['failure']) : undefined;
  const model = newest('model') as StepFacts['model'];
  const approval = step.events.findLast(({ type }) => ASKS.has(type));
  const rationale = newest('rationale');
  const path = fileOf(step, input);
  const resumable = resumableOf(step);
  return {
    ...(typeof rationale === 'string' && rationale !== '' && { rationale }),
    rules: step.events.flatMap(rulesOf).filter((rule, index, all) => all.indexOf(rule) === index),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(failure !== undefined && { failure }),
    ...(model !== undefined && { model }),
    recoveries: step.events.flatMap(({ recoveries = [] }) => recoveries.map(({ what }) => what)),
    artifacts: step.events.flatMap((event) =>
      event.type === 'artifacts.emitted' ? ((event.body ?? []) as readonly Artifact[]) : [],
    ),
    ...(approval !== undefined && { approval: String(dataOf(approval)['id']) }),
    ...(path !== undefined && { path }),
    ...(resumable !== undefined && { resumable }),
    isErased: step.events.some(({ erased }) => erased === true),
  };
}

const ASKS = new Set(['approval.requested', 'question.asked']);
const CHANGES_FILES = new Set([
  'files.write',
  'procedures.write',
  'files.edit',
  'files.delete',
  'files.move',
  'files.merge',
  'files.archive',
]);

function fileOf({ tool }: Step, input: unknown): string | undefined {
  if (tool === undefined || !CHANGES_FILES.has(tool)) return undefined;
  const { path, to } = (input ?? {}) as Fields;
  return [path, to].find((one) => typeof one === 'string') as string | undefined;
}

function resumableOf({ events }: Step): string | undefined {
  const has = (type: string): boolean => events.some((event) => event.type === type);
  if (!has('tool.intended')) return undefined;
  return has('tool.completed') || has('tool.failed')
    ? 'intent and outcome on record'
    : 'intent on record, no outcome yet';
}

/** What an event says about who allowed or refused the step. */
function rulesOf(event: RunEvent): readonly string[] {
  const data = dataOf(event);
  const policy = data['policy'];
  const own = SAYS[event.type]?.(data, bodyOf(event));
  return [
    ...(typeof policy === 'string' ? [`policy: ${policy}`] : []),
    ...(own === undefined ? [] : [own]),
    ...(data['cached'] === true ? ['taken from the cache'] : []),
  ];
}

const SAYS: Readonly<Record<string, (data: Fields, body: Fields) => string>> = {
  'approval.requested': ({ rule, why }) =>
    `asks${rule === undefined ? '' : ` by rule ${String(rule)}`}: ${String(why)}`,
  'approval.granted': ({ by, edited }) =>
    `approved by ${String(by)}${edited === true ? ', with other arguments' : ''}`,
  'approval.denied': ({ by }, { reason }) =>
    `denied by ${String(by)}${reason === undefined ? '' : `: ${String(reason)}`}`,
  'approval.expired': () => 'expired, which counts as a denial',
  'question.answered': ({ by }) => `answered by ${String(by)}`,
  'budget.exhausted': ({ budget, used, limit }) =>
    `budget ${String(budget)} used up (${String(used)} of ${String(limit)})`,
};
