import type { Json } from '../kernel/index.ts';
import { decide, fail, goTo, type Move, readAnswer, type Situation } from './moves.ts';
import { parseComposedGraph, parseTaskGraph, type TaskGraph } from './task-graph.ts';

/** In `plan`: gets a task graph from the planner role or from rules, then executes it. */
export function planTasks(situation: Situation): Move {
  if (!situation.withModel) return planByRules(situation);
  const answer = readAnswer('planner', situation.proposals, parseTaskGraph, 'assistant.plan_unusable');
  return 'move' in answer ? answer.move : execute(answer.read.graph, situation);
}

function planByRules(situation: Situation): Move {
  const { goal, evidence, tools, planWithoutModel } = situation;
  const composed = planWithoutModel({ goal, evidence, tools });
  if (composed === undefined) return execute(wholeGoal(goal), situation);
  if ('unknown' in composed)
    return fail('agent.goal_not_understood', composed.unknown, 'no procedure or tool matches the goal');
  const parsed = parseComposedGraph(composed as unknown as Json);
  if ('graph' in parsed) return execute(parsed.graph, situation);
  const reason = `The plan composed without a model is invalid: ${parsed.problem}. Fix its procedure, or choose a model.`;
  return fail('assistant.plan_unusable', reason, 'the composed plan is invalid');
}

/** The whole goal as one task, which its agent plans. */
function wholeGoal(goal: string): TaskGraph {
  return {
    goal,
    tasks: [{ id: 'goal', title: goal, depends_on: [], acceptance: [{ task_completed: true }] }],
  };
}

function execute(graph: TaskGraph, { rounds, settings }: Situation): Move {
  const count = graph.tasks.length === 1 ? 'one task' : `${graph.tasks.length} tasks`;
  if (settings.plan_only) {
    const output = { goal: graph.goal, tasks: graph.tasks as unknown as Json, plans: rounds.length + 1 };
    return decide({ kind: 'finish', output, rationale: `planned as ${count}; only a plan was requested` });
  }
  const rationale = rounds.length === 0 ? `planned as ${count}` : `planned again as ${count}`;
  return goTo('execute', rationale, { graph: graph as unknown as Json });
}
