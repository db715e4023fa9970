// Owns: which events belong to one step, and how the step's time is divided into thinking, calls, retries and waits.

import {
  begin,
  close,
  decide,
  newStep,
  type RunFold,
  record,
  recordRemedy,
  settle,
  wait,
} from './step-parts.ts';
import {
  bodyOf,
  dataOf,
  type Fields,
  type RunEvent,
  type SegmentKind,
  type Step,
  type StepStatus,
} from './types.ts';

type Handler = (fold: RunFold, event: RunEvent, data: Fields) => void;

export function foldStep(fold: RunFold, event: RunEvent): void {
  HANDLERS[event.type]?.(fold, event, dataOf(event));
  if (!AFTER_THE_END.has(event.type)) fold.cursor = event.at;
}

/** Events of others, which do not tell when the run worked. */
const AFTER_THE_END = new Set([
  'run.signalled',
  'run.corrected',
  'run.undo_intended',
  'run.undone',
  'run.pause_requested',
  'run.cancel_requested',
]);

const HANDLERS: Readonly<Record<string, Handler>> = {
  'step.completed': (fold, event, data) => {
    const step = decided(fold, event, data['kind'] === 'transition' ? 'plan' : 'tool');
    step.decision = String(data['kind']);
    settle(fold, step, data['expected'] ? 'ok' : (data['outcome'] as StepStatus), event);
  },
  'tool.intended': (fold, event) => {
    const step = decided(fold, event, 'plan');
    begin(step, 'tool', event.at);
  },
  'tool.completed': (fold, event, data) => settle(fold, stepOf(fold, data), 'ok', event),
  'tool.failed': (fold, event, data) => settle(fold, stepOf(fold, data), 'failed', event),
  'tool.withdrawn': (fold, event, data) => settle(fold, stepOf(fold, data), 'refused', event),
  'tool.retried': (fold, event, data) => {
    const step = stepOf(fold, data);
    if (step === undefined) return;
    step.events.push(event);
    step.attempts += 1;
    close(step, event.at, 'retry');
    begin(step, 'tool', event.at);
  },
  'tool.pending': (fold, event, data) => {
    const step = decided(fold, event, 'tool');
    step.children.push(...((data['children'] ?? []) as readonly string[]));
    wait(step, event, String(data['kind']));
  },
  'remediation.retried': (fold, event, data) => {
    const step = fold.run.steps.at(-1);
    if (step === undefined) return;
    recordRemedy(fold, step, event);
    const failed = step.segments.findLast(({ kind }) => kind !== 'wait');
    if (failed !== undefined) failed.kind = 'retry';
    fold.retried.set(String(data['state']), step);
    wait(step, event, 'retry');
  },
  'remediation.branched': (fold, event) => recordRemedy(fold, fold.run.steps.at(-1), event),
  'remediation.substituted': (fold, event) => recordRemedy(fold, fold.run.steps.at(-1), event),
  'approval.requested': (fold, event, data) => {
    const step = decided(fold, event, 'plan');
    fold.byApproval.set(String(data['id']), step);
    wait(step, event, 'approval');
  },
  'approval.granted': (fold, event, data) =>
    decide(fold.byApproval.get(String(data['id'])), event, 'running'),
  'approval.denied': (fold, event, data) => decide(fold.byApproval.get(String(data['id'])), event, 'refused'),
  'approval.expired': (fold, event, data) =>
    decide(fold.byApproval.get(String(data['id'])), event, 'refused'),
  'question.asked': (fold, event, data) => {
    const step = decided(fold, event, 'plan');
    step.decision = data['about'] === 'question' ? 'ask_human' : step.decision;
    fold.byApproval.set(String(data['id']), step);
    wait(step, event, 'answer');
  },
  'question.answered': (fold, event, data) => {
    const step = fold.byApproval.get(String(data['id']));
    decide(step, event, step?.decision === 'ask_human' ? 'ok' : 'running');
  },
  'budget.exhausted': (fold, event, data) => idle(fold, event, `budget ${String(data['budget'])}`),
  'run.deferred': (fold, event) => idle(fold, event, 'its time'),
  'run.paused': (fold, event) => idle(fold, event, 'pause'),
  'run.claimed': (fold, event) => {
    if (fold.idle !== undefined) close(fold.idle, event.at);
    const last = fold.run.steps.at(-1);
    // A retry begins when somebody takes the run.
    if (last?.segments.at(-1)?.what === 'retry') close(last, event.at);
  },
  'run.completed': (fold, event) => {
    const step = decided(fold, event, 'plan');
    step.decision = 'finish';
    settle(fold, step, 'ok', event);
  },
  'run.failed': (fold, event, data) => {
    if (data['planned'] === true) {
      const step = decided(fold, event, 'plan');
      step.decision = 'fail';
      settle(fold, step, 'failed', event);
    } else endLast(fold, event, 'failed');
  },
  'run.cancelled': (fold, event) => endLast(fold, event, 'cancelled'),
  'artifacts.emitted': (fold, event, data) => void stepOf(fold, data)?.events.push(event),
  'child.ended': (fold, event, data) =>
    void fold.run.steps
      .findLast(({ children }) => children.includes(String(data['child'])))
      ?.events.push(event),
};

const stepOf = (fold: RunFold, data: Fields): Step | undefined => fold.byStep.get(Number(data['step']));

/** The step of a decision: a new one, or the one whose approval, retry or wait it continues. */
function decided(fold: RunFold, event: RunEvent, calls: SegmentKind): Step {
  const data = dataOf(event);
  const number = Number(data['step']);
  const state = String(data['from'] ?? data['state'] ?? fold.run.state);
  const known =
    fold.byStep.get(number) ??
    fold.byApproval.get(String(data['approval'] ?? '')) ??
    takeRetried(fold, state, data);
  const step = known ?? fold.idle ?? newStep(fold, event, number, state);
  fold.idle = undefined;
  fold.byStep.set(number, step);
  step.last = Math.max(step.last, number);
  step.state = state;
  if (step.decision === 'wait') step.decision = 'call_tool';
  if (typeof data['tool'] === 'string') step.tool = data['tool'];
  close(step, fold.cursor);
  const asksModel =
    bodyOf(event)['model'] !== undefined || ((data['spend'] ?? {}) as Fields)['model_calls'] !== undefined;
  const from = Math.max(fold.cursor, step.segments.at(-1)?.to ?? step.startedAt);
  step.segments.push({ kind: asksModel ? 'model' : calls, from, to: event.at });
  step.status = 'running';
  record(step, event);
  return step;
}

function takeRetried(fold: RunFold, state: string, data: Fields): Step | undefined {
  if (data['kind'] === 'transition' || data['tool'] === undefined) return undefined;
  const step = fold.retried.get(state);
  if (step === undefined) return undefined;
  fold.retried.delete(state);
  step.attempts += 1;
  return step;
}

/** A wait between decisions. It becomes part of the next step, or of one that has not ended. */
function idle(fold: RunFold, event: RunEvent, what: string): void {
  const last = fold.run.steps.at(-1);
  const isOpen = last !== undefined && last.endedAt === undefined;
  if (!isOpen) {
    fold.idle = newStep(fold, event, (last?.last ?? 0) + 1, fold.run.state);
    fold.idle.decision = 'wait';
  }
  const step = fold.idle ?? (last as Step);
  record(step, event);
  wait(step, event, what);
}

function endLast(fold: RunFold, event: RunEvent, status: StepStatus): void {
  const last = fold.run.steps.at(-1);
  fold.idle = undefined;
  if (last === undefined) return;
  last.events.push(event);
  if (last.endedAt !== undefined) return;
  close(last, event.at);
  last.status = status;
  last.endedAt = event.at;
}
