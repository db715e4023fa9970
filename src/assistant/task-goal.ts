import type { JsonObject } from '../kernel/index.ts';
import { describeCriterion } from './criterion.ts';
import { showUntrusted } from './show-value.ts';
import type { Task } from './task-graph.ts';
import type { Round } from './types.ts';

const LONGEST_INPUT = 12_000;

/** What the agent of a task is told: the task, what it is for, what has to hold, and what came before. */
export function taskGoal(task: Task, { graph, results }: Round, input: JsonObject): string {
  const failed = results.get(task.id)?.failure;
  return [
    task.title,
    `This is one task of a larger goal: ${graph.goal}. Do only this task.`,
    `It is accepted when:\n${task.acceptance.map((one) => `- ${describeCriterion(one)}`).join('\n')}`,
    ...(task.tool_hints === undefined ? [] : [`These tools may help: ${task.tool_hints.join(', ')}.`]),
    ...Object.entries(input).map(
      ([id, value]) => `The task "${id}" came to:\n${showUntrusted(value ?? null, id, LONGEST_INPUT)}`,
    ),
    ...(failed === undefined
      ? []
      : [`An earlier attempt failed:\n${showUntrusted(failed.message, task.id, 2_000)}`]),
  ].join('\n\n');
}
