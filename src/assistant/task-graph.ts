import * as z from 'zod';
import { RISKS } from '../engine/index.ts';
import type { Json, JsonObject } from '../kernel/index.ts';
import { criterionSchema } from './criterion.ts';

const MAX_TASKS = 20;
const MAX_CRITERIA = 10;

const taskId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/)
  .describe('a short name in lower case');

const taskSchema = z.strictObject({
  id: taskId,
  title: z.string().trim().min(1).max(500).describe('the work to do, complete enough to need no questions'),
  depends_on: z.array(taskId).max(MAX_TASKS).describe('ids of tasks that must finish first'),
  acceptance: z.array(criterionSchema).min(1).max(MAX_CRITERIA),
  tool_hints: z.array(z.string().min(1).max(100)).max(10).optional().describe('names of tools that may help'),
  risk: z.enum(RISKS as [string, ...string[]]).optional(),
});

const goal = z.string().trim().min(1).max(2_000);
const taskGraphSchema = z.strictObject({ goal, tasks: z.array(taskSchema).min(1).max(MAX_TASKS) });

/** A task of a procedure may be a single call; a model cannot specify one. */
const composedTaskSchema = taskSchema.extend({
  call: z.strictObject({ tool: z.string().min(1).max(200), input: z.json() }).optional(),
});
const composedGraphSchema = z.strictObject({
  goal,
  tasks: z.array(composedTaskSchema).min(1).max(MAX_TASKS),
});

/** A unit of work with its dependencies and acceptance criteria. */
export type Task = z.output<typeof composedTaskSchema>;
export type TaskGraph = z.output<typeof composedGraphSchema>;

type Parsed = { readonly graph: TaskGraph } | { readonly problem: string };

/** The JSON Schema of a task graph, for the planner role. */
export function taskGraphJsonSchema(): JsonObject {
  return z.toJSONSchema(taskGraphSchema) as JsonObject;
}

/** Validates a task graph. */
export function parseTaskGraph(value: Json): Parsed {
  return parse(value, taskGraphSchema);
}

/** Validates a graph that was composed without a model, whose tasks may be calls. */
export function parseComposedGraph(value: Json): Parsed {
  return parse(value, composedGraphSchema);
}

function parse(value: Json, schema: typeof taskGraphSchema | typeof composedGraphSchema): Parsed {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { problem: describe(parsed.error) };
  const problem = structureProblem(parsed.data.tasks);
  return problem === undefined ? { graph: parsed.data } : { problem };
}

/** Lists the problems of a role's output with their paths. */
export function describe(error: z.ZodError): string {
  return error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.length === 0 ? 'the answer' : path.join('.')}: ${message}`)
    .join('; ')
    .slice(0, 4_000);
}

function structureProblem(tasks: readonly Task[]): string | undefined {
  const ids = new Set(tasks.map(({ id }) => id));
  if (ids.size < tasks.length) {
    const twice = tasks.find(({ id }, i) => tasks.findIndex((other) => other.id === id) < i) as Task;
    return `two tasks have the id "${twice.id}"; ids must be unique`;
  }
  for (const { id, depends_on: needed } of tasks) {
    const unknown = needed.find((other) => !ids.has(other));
    if (unknown !== undefined)
      return `the task "${id}" depends on "${unknown}", which is not a task of this graph`;
  }
  const cycle = tasksInCycle(tasks);
  return cycle && `the tasks depend on each other in a cycle: ${cycle.join(', ')}`;
}

/** The tasks that can never start because they wait for each other; undefined if there are none. */
function tasksInCycle(tasks: readonly Task[]): readonly string[] | undefined {
  const left = new Map(tasks.map((task) => [task.id, task]));
  for (;;) {
    const free = [...left.values()].filter(({ depends_on: needed }) => !needed.some((id) => left.has(id)));
    if (free.length === 0) break;
    for (const { id } of free) left.delete(id);
  }
  return left.size === 0 ? undefined : [...left.keys()];
}
