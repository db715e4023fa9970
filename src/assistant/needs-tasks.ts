import type { Tool } from '../engine/index.ts';
import { saysSeveral, splitGoal } from '../language/index.ts';
import { benefitsFromPlanning } from './compose-tasks.ts';
import type { KnownProcedure } from './known-procedures.ts';

/** Whether a goal is planned as tasks, or given to one agent. */
export async function needsTasks(
  { goal, agent, planOnly }: { readonly goal: string; readonly agent?: string; readonly planOnly?: boolean },
  {
    model,
    procedures,
    tools,
  }: {
    /** The model that would plan. A script can plan only if it has a turn for the planner. */
    readonly model: { readonly hasPlanner?: boolean } | undefined;
    readonly procedures: readonly KnownProcedure[];
    readonly tools: () => Promise<readonly Tool[]>;
  },
): Promise<boolean> {
  if (planOnly) return true;
  if (agent !== undefined) return false;
  if (model !== undefined) return model.hasPlanner ?? saysSeveral(goal);
  // Most goals are one task; only the others need the list of tools.
  return (
    (procedures.length > 0 || splitGoal(goal).flat().length > 1) &&
    benefitsFromPlanning(goal, await tools(), procedures)
  );
}
