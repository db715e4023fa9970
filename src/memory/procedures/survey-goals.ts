import type { EventStore, LedgerEvent } from '../../ledger/index.ts';
import { NEEDED_EXECUTIONS } from './distil-procedure.ts';
import { gatherExecutions } from './gather-executions.ts';
import { kindOfGoal } from './goal-kind.ts';
import type { GoalRun, GoalRuns, ReadGoalPieces } from './ports.ts';
import type { Execution } from './types.ts';

/** So many goals are looked back at. */
const MOST_GOALS = 2_000;

/** Where goals and what became of them are read. */
export interface SurveyParts {
  readonly events: Pick<EventStore, 'read'>;
  readonly runs: GoalRuns;
  readonly readGoal: ReadGoalPieces;
}

/** Which kinds of goals are wanted: those with these keys and, unless `only` they are, all that were pursued often enough. */
export interface SurveyScope {
  readonly kinds: ReadonlySet<string>;
  readonly only?: boolean;
}

/**
 * The executions of goals, by the key of their kind. Only the kinds that are wanted are read whole; the goals alone tell
 * which these are.
 */
export async function surveyGoals(
  { events, runs, readGoal }: SurveyParts,
  { kinds, only = false }: SurveyScope,
): Promise<ReadonlyMap<string, readonly Execution[]>> {
  const byKind = new Map<string, GoalRun[]>();
  for (const run of await runs.finished(MOST_GOALS)) {
    const key = kindOfGoal(run.goal, readGoal)?.key;
    if (key === undefined) continue;
    const others = byKind.get(key);
    if (others) others.push(run);
    else byKind.set(key, [run]);
  }
  const found = new Map<string, readonly Execution[]>();
  for (const [key, members] of byKind) {
    if (!kinds.has(key) && (only || members.length < NEEDED_EXECUTIONS)) continue;
    const trees: (readonly LedgerEvent[])[] = [];
    for (const { id } of members) trees.push(await readTree({ events, runs }, id));
    found.set(key, gatherExecutions(trees, readGoal));
  }
  return found;
}

async function readTree(
  { events, runs }: Omit<SurveyParts, 'readGoal'>,
  run: string,
): Promise<readonly LedgerEvent[]> {
  const tree: LedgerEvent[] = [];
  for (const member of await runs.members(run)) tree.push(...(await events.read(`run/${member}`)));
  return tree;
}
