import * as z from 'zod';

const path = z.string().min(1).max(1_000).describe('relative to the workspace');

const fileExists = z.strictObject({ file_exists: path });
const fileContains = z.strictObject({
  file_contains: z.strictObject({ path, text: z.string().min(1).max(2_000) }),
});
const fileMatchesSchema = z.strictObject({
  file_matches_schema: z.strictObject({
    path,
    schema: z.record(z.string(), z.unknown()).describe('a JSON Schema that the JSON file must match'),
  }),
});
const jsonPathEquals = z.strictObject({
  json_path_equals: z.strictObject({
    path,
    json_path: z.string().min(1).max(500).describe('members joined by dots, such as scripts.test or items.0'),
    equals: z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]),
  }),
});
const graphCompleted = z.strictObject({
  graph_completed: z.string().min(1).max(200).describe('the id of an automation whose newest run completed'),
});
const noPolicyViolation = z.strictObject({
  no_policy_violation: z.literal(true).describe('policy and people refused nothing that the task tried'),
});

/** A criterion that a read-only check decides. */
export const checkableCriterion = z.union([
  fileExists,
  fileContains,
  fileMatchesSchema,
  jsonPathEquals,
  graphCompleted,
  noPolicyViolation,
]);

const commandExitsZero = z.strictObject({
  command_exits_zero: z.strictObject({
    argv: z.array(z.string().max(2_000)).min(1).max(50).describe('the program and its arguments; no shell'),
    cwd: path.optional(),
  }),
});
const judge = z.strictObject({
  judge: z.string().min(1).max(1_000).describe('a statement to judge; use it only if no check fits'),
});
const taskCompleted = z.strictObject({
  task_completed: z.literal(true).describe('the task ended without failing; nothing else is checked'),
});

export const criterionSchema = z.union([
  ...checkableCriterion.options,
  commandExitsZero,
  judge,
  taskCompleted,
]);

export type CheckableCriterion = z.output<typeof checkableCriterion>;
/** A condition that a task must meet to be accepted. */
export type Criterion = z.output<typeof criterionSchema>;

const CHECKABLE = checkableCriterion.options.flatMap(({ shape }) => Object.keys(shape));

export function isCheckable(criterion: Criterion): criterion is CheckableCriterion {
  return CHECKABLE.some((kind) => kind in criterion);
}

/** Describes a criterion for people, models and the record. */
export function describeCriterion(criterion: Criterion): string {
  if ('file_exists' in criterion) return `the file ${criterion.file_exists} exists`;
  if ('file_contains' in criterion) {
    const { path: file, text } = criterion.file_contains;
    return `the file ${file} contains ${JSON.stringify(text)}`;
  }
  if ('file_matches_schema' in criterion) {
    const { path: file, schema } = criterion.file_matches_schema;
    return `the file ${file} fits the JSON Schema ${JSON.stringify(schema)}`;
  }
  if ('json_path_equals' in criterion) {
    const { path: file, json_path: place, equals } = criterion.json_path_equals;
    return `${place} in ${file} equals ${JSON.stringify(equals)}`;
  }
  if ('graph_completed' in criterion)
    return `the newest run of the graph ${criterion.graph_completed} completed`;
  if ('no_policy_violation' in criterion) return 'nothing that was tried was refused';
  if ('command_exits_zero' in criterion)
    return `the command ${JSON.stringify(criterion.command_exits_zero.argv)} exits with 0`;
  return 'judge' in criterion ? criterion.judge : 'the task completes';
}
