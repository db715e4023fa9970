import type { JsonObject } from '../kernel/index.ts';
import { describeCriterion } from './criterion.ts';
import { showUntrusted } from './show-value.ts';
import type { Task } from './task-graph.ts';
import type { Round } from './types.ts';

const MAX_INPUT_LENGTH = 12_000;

/** The goal of a task's agent: the task, its purpose, its criteria and earlier results. */
export function taskGoal(task: Task, { graph, results }: Round, input: JsonObject): string {
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
