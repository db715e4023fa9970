// Owns: the answer of an agent that does one task of a plan.
import * as z from 'zod';
import { type Json, type JsonObject, parseJson } from '../../kernel/index.ts';

/** The variable of a run whose answer is a task result, and its value. */
export const ANSWERS_TASK: JsonObject = { answer: 'task_result' };

const taskResult = z.strictObject({
  result: z.json(),
  artifacts: z.array(z.string().trim().min(1).max(1_000)).max(50).default([]),
  notes: z.array(z.string().trim().min(1).max(2_000)).max(20).default([]),
});
export type TaskOutput = z.output<typeof taskResult>;

export const TASK_RULES = `# Your answer
You do one task of a plan. Answer at the end with one JSON object and nothing else:
{"result": the answer itself, or null if the work is in files, "artifacts": ["the paths of files that are the result"],
"notes": ["what the next task or the person should know"]}`;

/** Whether the answer of a run is a task result. */
export function answersTask(vars: JsonObject): boolean {
  return vars['answer'] === ANSWERS_TASK['answer'];
}

/** A text that is no JSON object is the result itself. An object with another form is a problem. */
export function readTaskResult(text: string): { readonly output: Json } | { readonly problem: string } {
  const json = objectIn(text);
  if (json === undefined) return { output: { result: text.trim(), artifacts: [], notes: [] } };
  const parsed = taskResult.safeParse(json);
  if (parsed.success) return { output: parsed.data as Json };
  const [issue] = parsed.error.issues;
  return {
    problem: `it is not {"result", "artifacts", "notes"}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  };
}

/** What is wrong with a new answer. Earlier versions recorded a broken object as the result itself. */
export function problemWithTaskResult(text: string): string | undefined {
  const read = readTaskResult(text);
  if ('problem' in read) return read.problem;
  const begins = /^\s*(?:```(?:json)?\s*\n\s*)?\{/.test(text);
  return begins && objectIn(text) === undefined ? 'it begins as a JSON object and is none' : undefined;
}

/** The output of a task if it is a task result. */
export function taskOutput(output: Json | undefined): TaskOutput | undefined {
  return taskResult.safeParse(output).data;
}

/** The JSON object that a text consists of, with or without a code fence. */
function objectIn(text: string): Json | undefined {
  const inner = /^\s*(?:```(?:json)?\s*\n)?(\{[\s\S]*\})\s*(?:```\s*)?$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  try {
    return parseJson(inner) as Json;
  } catch {
    return undefined;
  }
}
