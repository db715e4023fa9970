// Owns: the loop plan → execute → critique → (plan | done), as a planner of the engine.
// I1 The next move is a pure function of the run and the roles' answers; models are called only where it needs them.
// I2 A role's answer becomes tasks and verdicts after a strict check, never a variable, budget, policy, agent or model of a
//    child run.
import { lostModel, lostUse, mayFallBack, modelOfRun, NO_MODEL } from '../agent/index.ts';
import {
  type BudgetName,
  CANONICAL_GRAPH,
  type Decision,
  type PlanInput,
  type RunKind,
  type Spend,
  StateGraph,
} from '../engine/index.ts';
import type { Json } from '../kernel/index.ts';
import { askRole, estimateRole } from './ask-role.ts';
import { composeTasks } from './compose-tasks.ts';
import { critiqueTasks } from './critique-tasks.ts';
import { executeTasks } from './execute-tasks.ts';
import { readSettings } from './governor.ts';
import { fail, goTo, type Move, type Situation } from './moves.ts';
import { planTasks } from './plan-tasks.ts';
import type { AssistantKindOptions } from './ports.ts';
import { CHECK, REVIEW, RUN_CHILDREN, RUN_COMMAND, readProgress } from './progress.ts';
import { roleRequest } from './role-request.ts';

/**
 * plan and critique lead to themselves to retry a role's answer. Every state leads to itself in a run that continues a failed
 * one; critique leads back to execute if that run left failed tasks.
 */
const ASSISTANT_GRAPH = new StateGraph({
  name: 'assistant',
  start: 'plan',
  states: {
    plan: { to: ['execute', 'plan', 'planned'] },
    execute: { to: ['critique', 'execute'], tools: { names: [RUN_CHILDREN] } },
    critique: { to: ['plan', 'execute', 'critique', 'done'], tools: { names: [CHECK, REVIEW, RUN_COMMAND] } },
    planned: { terminal: 'completed' },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

/** The graph for goals whose tasks are all single, fully specified calls: the run makes them itself, without child runs. */
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

/** Runs that pursue a goal as a graph of tasks, each a child run of an agent, and check the results. */
export function assistantKind(options: AssistantKindOptions = {}): RunKind {
  return {
    name: 'assistant',
    graph: ASSISTANT_GRAPH,
    planner: {
      name: 'assistant',
      version: '2',
      // Version 1 composed tasks from goals that were read less strictly.
      continues: ['1'],
      deterministic: true,
      plan: (input) => plan(input, options),
      // A refused check is an unmet criterion; the governor decides about refused tasks.
      handlesDenials: () => true,
      estimate: (input, left) => estimate(input, options, left),
    },
  };
}

function estimate(
  input: PlanInput,
  options: AssistantKindOptions,
  left: (name: BudgetName) => number,
): Promise<Spend> | Spend {
  const situation = situationOf(input, input.evidence, options);
  const move = nextMove(situation);
  const { models } = options;
  if (models === undefined || move.kind === 'decide' || 'problem' in situation) return {};
  return estimateRole(roleRequest(move.role, input, situation, move.problem), input, models, left);
}

async function plan(input: PlanInput, options: AssistantKindOptions): Promise<Decision> {
  const situation = situationOf(input, input.evidence, options);
  const move = nextMove(situation);
  if (move.kind === 'decide') return move.decision;
  const known = situation as Situation;
  const composed = roleRequest(move.role, input, known, move.problem);
  const use = await askRole(move.role, composed, input, options).catch((error: unknown) => {
    if (canPlanByRules(known) && mayFallBack(input, error)) return lostUse(known.model, composed, error);
    throw error;
  });
  const { state } = input;
  const recorded = { step: input.run.step, state, source: 'model' as const, output: use.response as Json };
  const next = nextMove(situationOf(input, [...input.evidence, recorded], options));
  if (next.kind === 'decide') return { ...next.decision, model: use };
  const rationale = `the answer of the ${next.role} is unusable; asking again: ${next.problem}`;
  return { kind: 'transition', to: state, rationale, model: use };
}

/** Whether rules can still plan the goal instead of the model. */
function canPlanByRules({ goal, evidence, tools, rounds, planWithoutModel }: Situation): boolean {
  const composed = rounds.length === 0 ? planWithoutModel({ goal, evidence, tools }) : undefined;
  return composed !== undefined && 'tasks' in composed;
}

type Understood = Situation | { readonly problem: string };

function situationOf(
  input: PlanInput,
  evidence: PlanInput['evidence'],
  { models, planWithoutModel = composeTasks }: AssistantKindOptions,
): Understood {
  const settings = readSettings(input);
  if ('problem' in settings) return settings;
  const { goal, state, vars, run, allTools: tools, budgets } = input;
  const progress = readProgress(evidence);
  const isLost = lostModel(evidence) !== undefined;
  const model = isLost ? NO_MODEL : modelOfRun(input);
  return {
    ...progress,
    goal,
    state,
    vars,
    evidence,
    settings,
    withModel: models !== undefined && model !== undefined && !isLost,
    model,
    tools,
    canReview: input.eligibleTools.some(({ name }) => name === REVIEW),
    budgets,
    ...(continuesFailed(run) && progress.resumed !== run.id ? { restarts: run.id } : {}),
    planWithoutModel,
  };
}

/** Runs that continue a failed run inherit its origin; the origin of a child run contains a slash. */
function continuesFailed({ id, origin }: PlanInput['run']): boolean {
  return origin !== id && !origin.includes('/');
}

function nextMove(situation: Understood): Move {
  if ('problem' in situation) {
    const reason = `Invalid run variables: ${situation.problem}. Correct them and start again.`;
    return fail('assistant.invalid_settings', reason, 'the settings are invalid');
  }
  if (situation.restarts !== undefined) return restartFailed(situation, situation.restarts);
  switch (situation.state) {
    case 'plan':
      return planTasks(situation);
    case 'execute':
      return executeTasks(situation);
    default:
      return critiqueTasks(situation);
  }
}

const { states } = CANONICAL_GRAPH.spec;

/**
 * The canonical states with an approval before every effect. The engine stores it before an assistant run starts and passes
 * its hash as the variable `asking`; tasks at the manual level run on it.
 */
export const ASKING_GRAPH = new StateGraph({
  ...CANONICAL_GRAPH.spec,
  name: 'canonical-asking',
  states: { ...states, act: { ...states['act'], approval: 'always' } },
});

/**
 * The first move of a run that continues a failed one. It marks where the failed run ended: finished tasks are kept; failures,
 * findings and answers are discarded, so that they are retried.
 */
function restartFailed({ state, rounds }: Situation, run: string): Move {
  const round = rounds.at(-1);
  const open = round?.graph.tasks.some(({ id }) => round.results.get(id)?.status !== 'done') ?? false;
  const to = state === 'critique' && open ? 'execute' : state;
  return goTo(to, 'continues the failed run: keeps finished tasks and retries the rest', {
    resumed: run,
  });
}
