import { type Decision, hasEffects, type PlanInput, type Planner, type ToolFace } from '../engine/index.ts';
import type { JsonObject } from '../kernel/index.ts';
import { type ChosenTool, type Goal, readGoal, ToolChooser } from '../language/index.ts';
import { fail, goTo } from './findings.ts';
import { fitsTrigger, matchProcedure, nearestProcedures } from './match-procedure.ts';
import { planWithTool } from './plan-with-tool.ts';
import { type Acceptance, procedureAcceptance } from './procedures/acceptance.ts';
import { BUILT_IN_PROCEDURES } from './procedures/built-in-procedures.ts';
import type { Procedure } from './types.ts';

const MOST_NEAREST = 3;

export interface DeterministicPlannerOptions {
  readonly procedures?: readonly Procedure[];
}

/** How a goal is reached without a model, as far as that can be told before it is tried. */
type Understanding =
  | {
      readonly by: 'procedure' | 'tool';
      readonly name: string;
      /** Whether something may be changed on the way. */
      readonly effects: boolean;
      /** What the goal leaves open, so that a person would be asked. */
      readonly missing: readonly string[];
      /** What can be looked at afterwards to see that it was done. */
      readonly acceptance: readonly Acceptance[];
    }
  | { readonly by: 'nothing'; readonly why: string };

/** A planner that can also tell what it makes of a goal. */
export interface DeterministicPlanner extends Planner {
  /** With `only` no tool is looked for, which takes longer. */
  understand(goal: string, tools: readonly ToolFace[], only?: 'procedure'): Understanding;
  /** Whether a goal calls for what a phrase names: it begins with the phrase's verb, and has its other words in order. */
  fits(phrase: string, goal: string): boolean;
}

/**
 * Plans without a model: by a procedure that the goal calls for, else with the one tool it names. A pure function of its
 * input. Where it is not sure it asks or fails; it never guesses a call that destroys.
 */
export function deterministicPlanner(options: DeterministicPlannerOptions = {}): DeterministicPlanner {
  const procedures = options.procedures ?? BUILT_IN_PROCEDURES;
  return {
    name: 'deterministic',
    version: '1',
    deterministic: true,
    plan: (input) => plan(input, procedures),
    understand: (text, tools, only) => understand(readGoal(text), tools, procedures, only),
    fits: (phrase, text) => fitsTrigger(phrase, readGoal(text)),
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
  const chosen = chooseTool(goal, input.allTools);
  if (chosen) return planWithTool(input, chosen);
  const why = notUnderstood(goal, input.allTools, procedures);
  return fail('agent.goal_not_understood', why, 'neither a procedure nor a tool surely fits the goal');
}

function understand(
  goal: Goal,
  tools: readonly ToolFace[],
  procedures: readonly Procedure[],
  only: 'procedure' | undefined,
): Understanding {
  const matched = matchProcedure(goal, procedures, tools);
  if (matched) {
    const { procedure, parameters } = matched;
    const { effects, acceptance } = procedureAcceptance(procedure.name, parameters);
    return { by: 'procedure', name: procedure.name, effects, missing: [], acceptance };
  }
  if (only === 'procedure') return { by: 'nothing', why: 'no procedure surely fits the goal' };
  const chosen = chooseTool(goal, tools);
  if (chosen === undefined) return { by: 'nothing', why: notUnderstood(goal, tools, procedures) };
  const { tool, input, missing } = chosen;
  return {
    by: 'tool',
    name: tool.name,
    effects: hasEffects(tool),
    missing: missing.map(({ name }) => name),
    acceptance: acceptanceOfCall(tool, input),
  };
}

/** The tool that a goal asks for. Nobody can be asked for the arguments of a program, so the goal has to give them. */
function chooseTool(goal: Goal, tools: readonly ToolFace[]): ChosenTool<ToolFace> | undefined {
  const chosen = new ToolChooser(tools).choose(goal);
  return chosen?.missing.some(({ role }) => role === 'arguments') ? undefined : chosen;
}

/** What a call that writes a file leaves behind. */
function acceptanceOfCall({ name }: ToolFace, { path, to }: JsonObject): readonly Acceptance[] {
  if (name === 'files.move' && typeof to === 'string') return [{ file_exists: to }];
  const writes = name === 'files.write' || name === 'files.edit';
  return writes && typeof path === 'string' ? [{ file_exists: path }] : [];
}

/** What cannot be done, what comes nearest with an example each, and what would help. */
function notUnderstood(goal: Goal, tools: readonly ToolFace[], procedures: readonly Procedure[]): string {
  const words = goal.parts.filter(({ kind }) => kind === 'word').map(({ text }) => text);
  const close = new ToolChooser(tools).nearest(words, MOST_NEAREST).map((tool) => tool.name);
  const near = nearestProcedures(goal, procedures);
  const shown = (near.length > 0 ? near : procedures).slice(0, MOST_NEAREST);
  const named = [...close, ...shown.map(({ name }) => name)];
  const known = (named.length > 0 ? named : tools.map((tool) => tool.name)).join(', ');
  const problem =
    goal.text.trim() === '' ? 'the goal is empty' : `the goal "${goal.text}" was not understood`;
  const examples =
    shown.length > 0 ? shown.map(({ name, example }) => `${example} (${name})`) : ['read README.md'];
  return `${problem}. Without a model it has to name what to do; nearest are ${known}. For example: ${examples.join('; ')}. For any other goal give it a model: oka init --model <provider>/<model>, as in ollama/llama3.2.`;
}
