import { dayOf } from '../days.ts';
import { valuesKey } from './goal-kind.ts';
import type { Execution } from './types.ts';

/**
 * The executions that stand for themselves, oldest first: other values of the goal, or another day. A run, what was resumed
 * from it and what was forked from it are one execution, which cost what all that led to its end has cost; `all` is where
 * that is looked up.
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

/** Those that did something and came to their end, and that nobody objected to. */
export function wentWell({ outcome, objections, untrusted, calls }: Execution): boolean {
  const accepted = objections.every((objection) => objection === 'edited');
  return outcome === 'completed' && calls.length > 0 && !untrusted && accepted;
}

/** Adds what the runs that it was resumed from had cost already. */
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
