import { groupBy } from '../../kernel/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';
import { NEEDED_EXECUTIONS } from './distil-procedure.ts';
import { gatherExecutions } from './gather-executions.ts';
import { kindOfGoal } from './goal-kind.ts';
import type { GoalRuns, ReadGoalPieces } from './ports.ts';
import type { Execution } from './types.ts';

/** How many finished goals are read. */
const MAX_GOALS = 2_000;

/**
 * The executions of goals, by the key of their kind: of these `kinds` and, unless `only` is set, of all kinds with enough
 * finished goals. Reads the events of these kinds only.
 */
export async function surveyGoals(
  parts: {
    readonly events: Pick<EventStore, 'read'>;
    readonly runs: GoalRuns;
    readonly readGoal: ReadGoalPieces;
  },
  { kinds, only = false }: { readonly kinds: ReadonlySet<string>; readonly only?: boolean },
): Promise<ReadonlyMap<string, readonly Execution[]>> {
  const { events, runs, readGoal } = parts;
  const byKind = groupBy(await runs.finished(MAX_GOALS), ({ goal }) => kindOfGoal(goal, readGoal)?.key);
  const found = new Map<string, readonly Execution[]>();
  for (const [key, members] of byKind) {
    if (key === undefined) continue;
    if (!kinds.has(key) && (only || members.length < NEEDED_EXECUTIONS)) continue;
    const trees: LedgerEvent[][] = [];
    for (const { id } of members) {
      const tree: LedgerEvent[] = [];
      for (const run of await runs.members(id)) tree.push(...(await events.read(`run/${run}`)));
      trees.push(tree);
    }
    found.set(key, gatherExecutions(trees, readGoal));
  }
  return found;
}
