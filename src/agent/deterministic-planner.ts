import type { Decision, PlanInput, Planner } from '../engine/index.ts';
import { briefFolder } from './brief-folder.ts';
import { fail, goTo } from './findings.ts';
import { matchProcedure } from './match-procedure.ts';
import { planWithTool } from './plan-with-tool.ts';
import { chooseTool, nearestTools } from './rank-tools.ts';
import { readGoal } from './read-goal.ts';
import type { Goal, Procedure } from './types.ts';

/** Every procedure that comes with Oka. A new one is one line here. */
const BUILT_IN: readonly Procedure[] = [briefFolder];

export interface DeterministicPlannerOptions {
  readonly procedures?: readonly Procedure[];
}

/**
 * Plans without a model: by a procedure that the goal calls for, else with the one tool it names. A pure function of its
 * input. Where it is not sure it asks or fails; it never guesses a call that destroys.
 */
export function deterministicPlanner(options: DeterministicPlannerOptions = {}): Planner {
  const procedures = options.procedures ?? BUILT_IN;
  return {
    name: 'deterministic',
    version: '1',
    deterministic: true,
    plan: (input) => plan(input, procedures),
  };
}

function plan(input: PlanInput, procedures: readonly Procedure[]): Decision {
  const goal = readGoal(input.goal);
  const matched = matchProcedure(goal, procedures, input.allTools);
  if (matched && input.state === 'intake') {
    const { procedure, parameters, trigger } = matched;
    return goTo(
      'explore',
      `"${trigger}" calls for the procedure ${procedure.name} with ${JSON.stringify(parameters)}`,
    );
  }
  if (matched) return matched.procedure.plan(input, matched.parameters);
  const tool = chooseTool(goal, input.allTools);
  return tool ? planWithTool(input, goal, tool) : notUnderstood(input, goal, procedures);
}

function notUnderstood(input: PlanInput, goal: Goal, procedures: readonly Procedure[]): Decision {
  const nearest = nearestTools(goal, input.allTools, 3).map((tool) => tool.name);
  const tools = nearest.length > 0 ? nearest : input.allTools.map((tool) => tool.name);
  const known = [...tools, ...procedures.map(({ name }) => name)].join(', ');
  const problem =
    goal.text.trim() === '' ? 'the goal is empty' : `the goal "${goal.text}" was not understood`;
  const example = procedures[0]?.example ?? 'read README.md';
  const reason = `${problem}. Without a model it has to name what to do; nearest are ${known}. For example: ${example}`;
  return fail('agent.goal_not_understood', reason, 'neither a procedure nor a tool surely fits the goal');
}
