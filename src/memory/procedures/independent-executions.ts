import { dayOf } from '../days.ts';
import { valuesKey } from './goal-kind.ts';
import type { Execution } from './types.ts';

/**
 * The independent executions, oldest first: with other values of the goal, or on another day. A run, its resumptions
 * and its forks are one execution with their total cost, which is looked up in `all`.
 */
export function independentExecutions(
  executions: readonly Execution[],
  all: readonly Execution[] = executions,
): readonly Execution[] {
  const byRun = new Map(all.map((execution) => [execution.run, execution]));
  const lines = new Set<string>();
  const days = new Set<string>();
  return executions.flatMap((execution) => {
    const day = `${dayOf(execution.startedAt)} ${valuesKey(execution.kind)}`;
    const known = lines.has(execution.line) || days.has(day);
    lines.add(execution.line);
    days.add(day);
    return known ? [] : [wholeLine(execution, byRun)];
  });
}

/** Completed, with at least one call, without untrusted content and without objections. */
export function hasSucceeded({ outcome, objections, untrusted, calls }: Execution): boolean {
  const accepted = objections.every((objection) => objection === 'edited');
  return outcome === 'completed' && calls.length > 0 && !untrusted && accepted;
}

/** Adds the cost of the runs that it was resumed from. */
function wholeLine(execution: Execution, byRun: ReadonlyMap<string, Execution>): Execution {
  const before = execution.resumedFrom === undefined ? undefined : byRun.get(execution.resumedFrom);
  if (before === undefined) return execution;
  const whole = wholeLine(before, byRun);
  return {
    ...execution,
    activeMs: execution.activeMs + whole.activeMs,
    rejections: execution.rejections + whole.rejections,
    approvals: execution.approvals + whole.approvals,
    refusals: execution.refusals + whole.refusals,
  };
}
