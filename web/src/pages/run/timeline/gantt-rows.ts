// Owns: the rows of the Gantt chart: the steps of the run, and below a step the runs that it started.

import type { RunRecord, Step, TreeRecord } from '../record/types.ts';

export type GanttRow =
  | { readonly kind: 'step'; readonly key: string; readonly depth: number; readonly step: Step }
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly depth: number;
      readonly run: RunRecord;
      readonly isOpen: boolean;
    };

/** A tree with more steps than this starts with closed child runs. */
const MAX_OPEN_STEPS = 200;

function startsOpen({ runs }: TreeRecord): boolean {
  let steps = 0;
  for (const run of runs.values()) steps += run.steps.length;
  return steps <= MAX_OPEN_STEPS;
}

/** `toggled` are the runs that are not as they start. */
export function ganttRows(tree: TreeRecord, toggled: ReadonlySet<string>): readonly GanttRow[] {
  const isOpenAtFirst = startsOpen(tree);
  const rows: GanttRow[] = [];
  const visit = (run: RunRecord, depth: number): void => {
    for (const step of run.steps) {
      rows.push({ kind: 'step', key: step.key, depth, step });
      for (const id of step.children) {
        const child = tree.runs.get(id);
        if (child === undefined) continue;
        const isOpen = toggled.has(id) !== isOpenAtFirst;
        rows.push({ kind: 'run', key: id, depth: depth + 1, run: child, isOpen });
        if (isOpen) visit(child, depth + 2);
      }
    }
  };
  visit(tree.root, 0);
  return rows;
}
