import * as z from 'zod';
import { BUDGET_NAMES } from '../../engine/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { FieldPath, Target, TemplateField } from '../node-type.ts';
import type { GraphBudgets, NodeTypeName } from '../types.ts';

export const LONGEST_ID = 200;
const LONGEST_TIMER_SECONDS = 2_147_483;
const LONGEST_WAIT_SECONDS = 315_360_000;

const ID = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

/** The name of another node. */
export const nodeId = (description: string) =>
  z.string().regex(ID).min(1).max(LONGEST_ID).describe(description);

/** Any JSON value. The definition was found to be plain JSON before schemas see it. */
export const anyJson = (description: string) =>
  z.unknown().describe(description) as unknown as z.ZodType<Json>;

export const jsonObject = (description: string) =>
  z.record(z.string(), z.unknown()).describe(description) as unknown as z.ZodType<JsonObject>;

export const text = (description: string) => z.string().min(1).describe(description);

/** Seconds that a timer in a process measures. */
export const timerSeconds = (description: string) =>
  z.number().positive().max(LONGEST_TIMER_SECONDS).describe(description);

/** Seconds that a parked run waits. */
export const waitSeconds = (description: string) =>
  z.number().positive().max(LONGEST_WAIT_SECONDS).describe(description);

export const maxRetries = () => z.int().min(0).max(100).describe('How often a failed attempt is made again.');

export const budgets = (description: string) =>
  z
    .strictObject(
      Object.fromEntries(BUDGET_NAMES.map((name) => [name, z.number().nonnegative().exactOptional()])),
    )
    .describe(description) as unknown as z.ZodType<GraphBudgets>;

/** Fields of nodes that go on to one other node. */
export const followed = { next: nodeId('The node that comes next.') };

/** Fields of nodes that do something that can fail. */
export const attempted = {
  timeout_seconds: timerSeconds('How long one attempt may take.').exactOptional(),
  max_retries: maxRetries().exactOptional(),
  on_error: nodeId(
    'The node to go to when all attempts have failed; refused in strict mode.',
  ).exactOptional(),
};

export const fallbackOutput = {
  fallback_output: anyJson(
    'The output to go on with when all attempts have failed; only in flex mode.',
  ).exactOptional(),
};

export const idempotencyKey = {
  idempotency_key: text(
    'Calls with the same key act once; put something into it that changes, such as {{run.origin_id}}.',
  ).exactOptional(),
};

/** The schema of a node: what every node has, and the fields of its own type. */
export function nodeSchema<Type extends NodeTypeName, Shape extends z.ZodRawShape>(
  type: Type,
  summary: string,
  shape: Shape,
) {
  return z
    .strictObject({
      node_id: nodeId('The name of this node; its output is kept under it.'),
      type: z.literal(type).describe(summary),
      description: z.string().describe('What the node is for.').exactOptional(),
      input: anyJson('Replaces {{last}} as what this node works on.').exactOptional(),
      ...shape,
    })
    .describe(summary);
}

/** The targets that stand in the named fields, as far as they are given. */
export function targetsIn<Node extends object>(node: Node, ...fields: (keyof Node & string)[]): Target[] {
  const targets: Target[] = [];
  for (const field of fields) {
    const to = node[field];
    if (typeof to !== 'string') continue;
    targets.push(field === 'on_error' ? { field: [field], to, failed: true } : { field: [field], to });
  }
  return targets;
}

/** The values of `input` and of the named fields, as far as they are given. */
export function templatesIn<Node extends object>(
  node: Node,
  ...fields: (keyof Node & string)[]
): TemplateField[] {
  const found: TemplateField[] = [];
  for (const field of ['input' as keyof Node & string, ...fields]) {
    const value = node[field];
    if (value !== undefined) found.push({ field: [field] satisfies FieldPath, value: value as Json });
  }
  return found;
}
