import type { WorkerOutcome } from '../../api/index.ts';

const MAX_TASKS = 1_000;

/** Passes a failure on when it begins or changes, not each time it repeats. */
export function warnOfFailures(onWarning: (message: string) => void): (outcome: WorkerOutcome) => void {
  const told = new Map<string, string>();
  return (outcome) => {
    if (outcome.ok) {
      told.delete(outcome.task);
      return;
    }
    const { task, message } = outcome;
    if (told.get(task) === message) return;
    if (told.size >= MAX_TASKS) told.clear();
    told.set(task, message);
    onWarning(message);
  };
}
