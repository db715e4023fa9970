// Owns: what a run has used, as of an event. The same rules as the engine's.

import type { Fields, RunRecord, Spend } from './types.ts';

/** Events that are one step each. */
const STEPS = new Set([
  'step.completed',
  'tool.intended',
  'approval.requested',
  'remediation.retried',
  'remediation.branched',
  'remediation.substituted',
]);

export interface Counted {
  readonly run: RunRecord;
  /** A call with an effect has started and has no outcome yet. */
  hasIntent: boolean;
}

export function countUse(counted: Counted, type: string, data: Fields): void {
  const { used } = counted.run;
  const isQuestion = type === 'question.asked' && data['about'] === 'question';
  const isPendingStep = type === 'tool.pending' && !counted.hasIntent;
  if (STEPS.has(type) || isQuestion || isPendingStep) add(used, 'steps', 1);
  countCalls(counted, type, data);
  for (const spend of [data['spend'], type === 'child.ended' ? data['used'] : undefined])
    for (const [name, amount] of Object.entries((spend ?? {}) as Spend)) add(used, name, amount);
  if (type === 'run.budget_added') addLimits(counted.run, (data['amounts'] ?? {}) as Spend);
  if (type === 'tool.intended') counted.hasIntent = true;
  else if (type.startsWith('tool.') && type !== 'tool.retried') counted.hasIntent = false;
}

function countCalls({ run, hasIntent }: Counted, type: string, data: Fields): void {
  if (!isCall(type, data, hasIntent)) return;
  const attempts = (data['attempts'] as number | undefined) ?? 1;
  add(run.used, 'tool_calls', attempts);
  if (attempts > 1) add(run.used, 'retries', attempts - 1);
}

function isCall(type: string, data: Fields, hasIntent: boolean): boolean {
  switch (type) {
    case 'step.completed':
      return (
        data['kind'] === 'call_tool' && data['outcome'] !== 'refused' && !data['cached'] && !data['reused']
      );
    case 'tool.pending':
      return true;
    case 'tool.completed':
    case 'tool.failed':
      return hasIntent;
    default:
      return false;
  }
}

function addLimits(run: RunRecord, amounts: Spend): void {
  const limits = { ...run.limits };
  for (const [name, amount] of Object.entries(amounts))
    if (limits[name] !== undefined) limits[name] += amount;
  run.limits = limits;
}

function add(total: Record<string, number>, name: string, amount: number): void {
  total[name] = (total[name] ?? 0) + amount;
}
