import type { Decision, PlanInput, Planner } from '../engine/index.ts';
import { fail, goTo } from './findings.ts';
import { matchProcedure, nearestProcedures } from './match-procedure.ts';
import { planWithTool } from './plan-with-tool.ts';
import { BUILT_IN_PROCEDURES } from './procedures/built-in-procedures.ts';
import { chooseTool, nearestTools } from './rank-tools.ts';
import { readGoal } from './read-goal.ts';
import type { Goal, Procedure } from './types.ts';

const MOST_NEAREST = 3;

export interface DeterministicPlannerOptions {
  readonly procedures?: readonly Procedure[];
}

/**
 * Plans without a model: by a procedure that the goal calls for, else with the one tool it names. A pure function of its
 * input. Where it is not sure it asks or fails; it never guesses a call that destroys.
 */
export function deterministicPlanner(options: DeterministicPlannerOptions = {}): Planner {
  const procedures = options.procedures ?? BUILT_IN_PROCEDURES;
  return {
    name: 'deterministic',
    version: '1',
    deterministic: true,
    plan: (input) => plan(input, procedures),
  };
}

function plan(input: PlanInput, procedures: readonly Procedure[]): Decision | Promise<Decision> {
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
  const tools = nearestTools(goal, input.allTools, MOST_NEAREST).map((tool) => tool.name);
  const near = nearestProcedures(goal, procedures);
  const shown = (near.length > 0 ? near : procedures).slice(0, MOST_NEAREST);
  const named = [...tools, ...shown.map(({ name }) => name)];
  const known = (named.length > 0 ? named : input.allTools.map((tool) => tool.name)).join(', ');
  const problem =
    goal.text.trim() === '' ? 'the goal is empty' : `the goal "${goal.text}" was not understood`;
  const examples = shown.length > 0 ? shown.map(({ example }) => example) : ['read README.md'];
  const reason = `${problem}. Without a model it has to name what to do; nearest are ${known}. For example: ${examples.join('; ')}`;
  return fail('agent.goal_not_understood', reason, 'neither a procedure nor a tool surely fits the goal');
}
