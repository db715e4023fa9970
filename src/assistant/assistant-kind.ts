// Owns: the loop plan → execute → critique → (plan | done), as a planner of the engine.
// I1 The next move is a pure function of the run and of what the roles said; models are asked only where it needs them.
// I2 What a role says becomes tasks and verdicts, after a strict check. It never becomes a variable, a budget, a policy, an
//    agent or a model of a child run.

import { modelOfRun } from '../agent/index.ts';
import { type Decision, type PlanInput, type RunKind, StateGraph } from '../engine/index.ts';
import type { Json } from '../kernel/index.ts';
import { askRole, estimateOf } from './ask-role.ts';
import { beginAnew } from './begin-anew.ts';
import { composeTasks } from './compose-tasks.ts';
import { critiqueTasks } from './critique-tasks.ts';
import { executeTasks } from './execute-tasks.ts';
import { readSettings } from './governor.ts';
import { fail, type Move, type Situation } from './moves.ts';
import { planTasks } from './plan-tasks.ts';
import type { AssistantKindOptions } from './ports.ts';
import { CHECK, RUN_CHILDREN, RUN_COMMAND, readProgress } from './progress.ts';
import { roleRequest } from './role-request.ts';

/**
 * plan and critique lead to themselves when a role's answer has to be asked for again, and every state leads to itself where
 * a run continues a failed one; critique leads back to execute where that one has left failed tasks behind.
 */
const ASSISTANT_GRAPH = new StateGraph({
  name: 'assistant',
  start: 'plan',
  states: {
    plan: { to: ['execute', 'plan', 'planned'] },
    execute: { to: ['critique', 'execute'], tools: { names: [RUN_CHILDREN] } },
    critique: { to: ['plan', 'execute', 'critique', 'done'], tools: { names: [CHECK, RUN_COMMAND] } },
    planned: { terminal: 'completed' },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

/** The same, for goals whose every task is one call that is told exactly: they are made by the run itself, without child runs. */
export const DIRECT_GRAPH = new StateGraph({
  ...ASSISTANT_GRAPH.spec,
  name: 'assistant-direct',
  states: {
    ...ASSISTANT_GRAPH.spec.states,
    execute: {
      ...ASSISTANT_GRAPH.spec.states['execute'],
      tools: { sideEffects: ['read', 'write_local', 'external_mutation'] },
    },
  },
});

/** Runs that pursue a goal as a graph of tasks, each a child run of an agent, and check what they came to. */
export function assistantKind(options: AssistantKindOptions = {}): RunKind {
  return {
    name: 'assistant',
    graph: ASSISTANT_GRAPH,
    planner: {
      name: 'assistant',
      version: '1',
      deterministic: true,
      plan: (input) => plan(input, options),
      // A check that a person refuses is a criterion that is not met; what refused tasks mean is the governor's to say.
      handlesDenials: () => true,
      ...(options.models && { estimate: (input) => estimate(input, options) }),
    },
  };
}

function estimate(input: PlanInput, options: AssistantKindOptions): ReturnType<typeof estimateOf> {
  const situation = situationOf(input, input.evidence, options);
  const move = nextMove(situation);
  if (move.kind === 'decide' || 'problem' in situation) return {};
  return estimateOf(roleRequest(move.role, input, situation, move.problem));
}

async function plan(input: PlanInput, options: AssistantKindOptions): Promise<Decision> {
  const situation = situationOf(input, input.evidence, options);
  const move = nextMove(situation);
  if (move.kind === 'decide') return move.decision;
  const composed = roleRequest(move.role, input, situation as Situation, move.problem);
  const use = await askRole(move.role, composed, input, options);
  const { state } = input;
  const heard = { step: input.run.step, state, source: 'model' as const, output: use.response as Json };
  const next = nextMove(situationOf(input, [...input.evidence, heard], options));
  if (next.kind === 'decide') return { ...next.decision, model: use };
  const rationale = `the answer of the ${next.role} cannot be used and is asked for once more: ${next.problem}`;
  return { kind: 'transition', to: state, rationale, model: use };
}

type Understood = Situation | { readonly problem: string };

function situationOf(
  input: PlanInput,
  evidence: PlanInput['evidence'],
  { models, planWithoutModel = composeTasks }: AssistantKindOptions,
): Understood {
  const settings = readSettings(input);
  if ('problem' in settings) return settings;
  const { goal, state, vars, run, allTools: tools } = input;
  const progress = readProgress(evidence);
  const model = modelOfRun(input);
  return {
    ...progress,
    goal,
    state,
    vars,
    evidence,
    settings,
    withModel: models !== undefined && model !== undefined,
    model,
    tools,
    ...(continuesFailed(run) && progress.resumed !== run.id ? { beginsAnew: run.id } : {}),
    planWithoutModel,
  };
}

/** Origins are passed on by runs that continue failed ones; those of child runs name their place. */
function continuesFailed({ id, origin }: PlanInput['run']): boolean {
  return origin !== id && !origin.includes('/');
}

function nextMove(situation: Understood): Move {
  if ('problem' in situation) {
    const reason = `the variables of the run cannot be used: ${situation.problem}. Correct them and start again.`;
    return fail('assistant.invalid_settings', reason, 'nothing is begun under settings that nobody meant');
  }
  if (situation.beginsAnew !== undefined) return beginAnew(situation, situation.beginsAnew);
  switch (situation.state) {
    case 'plan':
      return planTasks(situation);
    case 'execute':
      return executeTasks(situation);
    default:
      return critiqueTasks(situation);
  }
}
