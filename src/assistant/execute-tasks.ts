import { ANSWERS_TASK } from '../agent/index.ts';
import type { Failure, Json, JsonObject } from '../kernel/index.ts';
import { describeCriterion } from './criterion.ts';
import { type Autonomy, autonomyAfter, isRefusal, judgeSetback, type Setback } from './governor.ts';
import {
  askPerson,
  boundedValue,
  call,
  fail,
  goTo,
  type Move,
  type Situation,
  showUntrusted,
} from './moves.ts';
import { RUN_CHILDREN } from './progress.ts';
import type { Task } from './task-graph.ts';
import type { Round, TaskResult } from './types.ts';

const GO_ON = 'go on';
const STOP = 'stop';
const MAX_INPUT_LENGTH = 12_000;

/** In `execute`: starts every ready task until all are done or one has failed permanently. */
export function executeTasks(situation: Situation): Move {
  const { rounds, settings } = situation;
  const round = rounds.at(-1) as Round;
  if (round.unstarted !== undefined) return failUnstarted(round.unstarted);
  const setbacks = setbacksOf(round, retriesOf(situation));
  const end = setbacks.map(endOf).find((move) => move !== undefined);
  if (end !== undefined) return end;
  const ready = readyTasks(round, setbacks);
  if (setbacks.some(({ setback }) => setback === 'give_up'))
    return goTo('critique', 'a task failed permanently, so the rest is not started');
  if (ready.length === 0) return goTo('critique', 'every task is done');
  const asked = levelOf(situation) === 'manual' ? askBefore(ready, situation, round) : undefined;
  if (asked !== undefined) return asked;
  const [next] = ready as [Task];
  if (settings.direct && next.call !== undefined)
    return call(
      next.call.tool,
      next.call.input,
      `step of the procedure: ${next.title}`,
      countAgain([next], round),
    );
  const names = ready.map(({ id }) => id).join(', ');
  const children = ready.map((task) => childFor(task, situation, round));
  return call(
    RUN_CHILDREN,
    { children, on_error: 'collect' },
    `ready to start: ${names}`,
    countAgain(ready, round),
  );
}

/** The retries of a task that the settings and the budgets allow. */
function retriesOf({ settings, budgets }: Situation): number {
  const { retries = Number.POSITIVE_INFINITY, node_retries: limit = Number.POSITIVE_INFINITY } = budgets;
  return retries < 1 ? 0 : Math.min(settings.retries, limit);
}

/** How many of these tasks have failed before. */
function countAgain(tasks: readonly Task[], { results }: Round): number {
  return tasks.filter(({ id }) => results.has(id)).length;
}

interface TaskSetback {
  readonly task: Task;
  readonly result: TaskResult;
  readonly setback: Setback;
}

function setbacksOf({ graph, results }: Round, retries: number): readonly TaskSetback[] {
  return graph.tasks.flatMap((task) => {
    const result = results.get(task.id);
    if (result === undefined || result.status === 'done') return [];
    return [{ task, result, setback: judgeSetback(result, retries) }];
  });
}

/** The move that ends the run because of a task's setback, if it does. */
function endOf({ task, result, setback }: TaskSetback): Move | undefined {
  const why = result.failure?.message ?? 'no reason was given';
  switch (setback) {
    case 'denied': {
      const reason = `Task "${task.id}" was refused (${result.failure?.code}): ${why} Allow it in the policy, or change the goal.`;
      return fail('assistant.denied', reason, 'a refused task is not retried');
    }
    case 'cancelled':
      return fail(
        'assistant.cancelled',
        `Task "${task.id}" was cancelled: ${why}; start again when it may be done.`,
        'a cancelled task is not restarted',
      );
    case 'budget':
      return fail(
        'assistant.budget',
        `Task "${task.id}" ran out of budget: ${why} Start again with a larger budget.`,
        'the budget is exhausted',
      );
    default:
      return undefined;
  }
}

function failUnstarted({ code, message }: Failure): Move {
  const reason = `The tasks could not be started (${code}): ${message}`;
  const known = code === 'engine.budget_exhausted' ? 'assistant.budget' : 'assistant.task_failed';
  return fail(isRefusal(code) ? 'assistant.denied' : known, reason, 'the child runs could not start');
}

function readyTasks({ graph, results }: Round, setbacks: readonly TaskSetback[]): readonly Task[] {
  const again = new Set(setbacks.filter(({ setback }) => setback === 'retry').map(({ task }) => task.id));
  return graph.tasks.filter(
    ({ id, depends_on: needed }) =>
      (again.has(id) || !results.has(id)) && needed.every((other) => results.get(other)?.status === 'done'),
  );
}

/** The autonomy level now in force. */
function levelOf({ rounds, settings }: Situation): Autonomy {
  return autonomyAfter(settings.autonomy, rounds.filter(({ rejected }) => rejected !== undefined).length);
}

/**
 * At the manual level, asks a person before each task that does not run on the graph with an approval before every effect. The
 * risk that a model claims for a task is ignored.
 */
function askBefore(ready: readonly Task[], situation: Situation, round: Round): Move | undefined {
  const { rounds, settings, goal } = situation;
  for (const task of ready) {
    if (settings.asking !== undefined && task.call === undefined) continue;
    const question = questionBefore(task, round, rounds.length);
    const answer = round.answers.findLast((one) => one.question === question)?.answer;
    if (answer === GO_ON) continue;
    if (answer !== undefined) {
      const reason = `A person stopped the work on "${goal}" before task "${task.id}".`;
      return fail('assistant.denied', reason, 'a person declined');
    }
    const isManual = settings.autonomy === 'manual';
    const why = isManual ? 'the manual level asks before every task' : 'the work was rejected repeatedly';
    return askPerson(question, [GO_ON, STOP], why);
  }
  return undefined;
}

function attemptOf({ id }: Task, { results, tried }: Round): number {
  return (results.get(id)?.attempts ?? 0) + (tried.get(id) ?? 0) + 1;
}

function questionBefore(task: Task, round: Round, plan: number): string {
  const attempt = attemptOf(task, round);
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `May the task "${task.id}" of plan ${plan}${again} be done? ${task.title}`;
}

function childFor(task: Task, situation: Situation, round: Round): Json {
  const { agent, model = situation.model } = situation.vars;
  const { asking } = situation.settings;
  const graph = asking !== undefined && levelOf(situation) === 'manual' ? { graph: asking } : {};
  const share = Math.floor(MAX_INPUT_LENGTH / Math.max(1, task.depends_on.length));
  const input: Record<string, Json> = {};
  for (const id of task.depends_on) input[id] = boundedValue(round.results.get(id)?.output ?? null, share);
  const vars: JsonObject = {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    task: { id: task.id, plan: situation.rounds.length, attempt: attemptOf(task, round) },
    input,
  };
  if (task.call !== undefined) {
    const { tool, input: given } = task.call;
    return { kind: 'call', goal: task.title, vars: { ...vars, tool, input: given } };
  }
  const goal = situation.withModel ? taskGoal(task, round, input) : task.title;
  return { kind: 'agent', goal, vars: situation.withModel ? { ...vars, ...ANSWERS_TASK } : vars, ...graph };
}

/** The goal of a task's agent: the task, its purpose, its criteria and earlier results. */
function taskGoal(task: Task, { graph, results }: Round, input: JsonObject): string {
  const failed = results.get(task.id)?.failure;
  return [
    task.title,
    `This is one task of a larger goal: ${graph.goal}. Do only this task.`,
    `It is accepted when:\n${task.acceptance.map((one) => `- ${describeCriterion(one)}`).join('\n')}`,
    ...(task.tool_hints === undefined ? [] : [`These tools may help: ${task.tool_hints.join(', ')}.`]),
    ...Object.entries(input).map(
      ([id, value]) => `Result of the task "${id}":\n${showUntrusted(value ?? null, id, MAX_INPUT_LENGTH)}`,
    ),
    ...(failed === undefined
      ? []
      : [`An earlier attempt failed:\n${showUntrusted(failed.message, task.id, 2_000)}`]),
  ].join('\n\n');
}
