// Owns: how a step begins, waits, continues and ends.

import {
  dataOf,
  type RunEvent,
  type RunRecord,
  type SegmentKind,
  type Step,
  type StepStatus,
} from './types.ts';

/** A run while its events are folded. */
export interface RunFold {
  readonly run: RunRecord;
  /** When the last work ended: the next decision began then. */
  cursor: number;
  hasIntent: boolean;
  readonly byStep: Map<number, Step>;
  readonly byApproval: Map<string, Step>;
  /** Steps whose state is tried again. */
  readonly retried: Map<string, Step>;
  /** A wait before a decision, which becomes part of the step that follows. */
  idle?: Step | undefined;
}

export function newStep(fold: RunFold, event: RunEvent, number: number, state: string): Step {
  const step: Step = {
    key: `${fold.run.id}.${number}`,
    run: fold.run.id,
    step: number,
    last: number,
    state,
    decision: 'call_tool',
    status: 'running',
    startedAt: Math.min(fold.cursor, event.at),
    segments: [],
    events: [],
    spend: {},
    children: [],
    attempts: 1,
  };
  fold.run.steps.push(step);
  return step;
}

export function record(step: Step, event: RunEvent): void {
  step.events.push(event);
  const data = dataOf(event);
  for (const [name, amount] of Object.entries((data['spend'] ?? {}) as Record<string, number>))
    step.spend[name] = (step.spend[name] ?? 0) + amount;
}

/** A remedy is a decision about the step that failed. */
export function recordRemedy(fold: RunFold, step: Step | undefined, event: RunEvent): void {
  if (step === undefined) return;
  const number = Number(dataOf(event)['step']);
  fold.byStep.set(number, step);
  step.last = Math.max(step.last, number);
  record(step, event);
}

export function settle(fold: RunFold, step: Step | undefined, status: StepStatus, event: RunEvent): void {
  if (step === undefined) return;
  if (step.events.at(-1) !== event) record(step, event);
  close(step, event.at);
  const work = step.segments.findLast(({ kind }) => kind !== 'wait');
  if (status === 'failed' && work !== undefined) work.kind = 'retry';
  step.status = status;
  step.endedAt = event.at;
  step.attempts += Math.max(0, Number(dataOf(event)['attempts'] ?? 1) - 1);
  fold.idle = undefined;
}

export function begin(step: Step, kind: SegmentKind, at: number): void {
  step.segments.push({ kind, from: at });
}

/** Ends what lasts, which a retry shows to have failed. */
export function close(step: Step, at: number, kind?: SegmentKind): void {
  const open = step.segments.at(-1);
  if (open === undefined || open.to !== undefined) return;
  open.to = Math.max(open.from, at);
  if (kind !== undefined) open.kind = kind;
}

export function wait(step: Step, event: RunEvent, what: string): void {
  close(step, event.at);
  step.segments.push({ kind: 'wait', from: event.at, what });
  step.status = 'waiting';
  delete step.endedAt;
}

/** A person's decision about what a step waits for. */
export function decide(step: Step | undefined, event: RunEvent, status: StepStatus): void {
  if (step === undefined) return;
  step.events.push(event);
  close(step, event.at);
  step.status = status;
  if (status !== 'running') step.endedAt = event.at;
}
