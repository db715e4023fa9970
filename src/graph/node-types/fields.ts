import * as z from 'zod';
import { BUDGET_NAMES } from '../../engine/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { FieldPath, Finding, NodeContext, Target, TemplateField } from '../node-type.ts';
import type { GraphBudgets, GraphNode, NodeTypeName } from '../types.ts';

export const MAX_ID_LENGTH = 200;
const MAX_TIMER_SECONDS = 2_147_483;
const MAX_WAIT_SECONDS = 315_360_000;

const ID = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

export const nodeId = (description: string) =>
  z.string().regex(ID).min(1).max(MAX_ID_LENGTH).describe(description);

/** Any JSON value; the compiler checks that the definition is plain JSON first. */
export const anyJson = (description: string) =>
  z.unknown().describe(description) as unknown as z.ZodType<Json>;

export const jsonObject = (description: string) =>
  z.record(z.string(), z.unknown()).describe(description) as unknown as z.ZodType<JsonObject>;

export const text = (description: string) => z.string().min(1).describe(description);

/** Seconds of a timer in a process. */
export const timerSeconds = (description: string) =>
  z.number().positive().max(MAX_TIMER_SECONDS).describe(description);

/** Seconds that a parked run waits. */
export const waitSeconds = (description: string) =>
  z.number().positive().max(MAX_WAIT_SECONDS).describe(description);

export const maxRetries = () => z.int().min(0).max(100).describe('How often to retry a failed attempt.');

export const budgets = (description: string) =>
  z
    .strictObject(
      Object.fromEntries(BUDGET_NAMES.map((name) => [name, z.number().nonnegative().exactOptional()])),
    )
    .describe(description) as unknown as z.ZodType<GraphBudgets>;

/** Fields of nodes with one successor. */
export const followed = { next: nodeId('The next node.') };

/** Fields of nodes that can fail. */
export const attempted = {
  timeout_seconds: timerSeconds('How long one attempt may take.').exactOptional(),
  max_retries: maxRetries().exactOptional(),
  on_error: nodeId(
    'The node to go to when all attempts have failed; refused in strict mode.',
  ).exactOptional(),
};

/** Fields of nodes that call a tool and continue with its result. */
export const called = {
  ...attempted,
  fallback_output: anyJson(
    'The output to continue with when all attempts have failed; only in flex mode.',
  ).exactOptional(),
  ...followed,
};

export const idempotencyKey = {
  idempotency_key: text(
    'Calls with the same key act once; include a part that changes, such as {{run.origin_id}}.',
  ).exactOptional(),
};

/** The schema of a node: the common fields and the fields of its type. */
export function nodeSchema<Type extends NodeTypeName, Shape extends z.ZodRawShape>(
  type: Type,
  summary: string,
  shape: Shape,
) {
  return z
    .strictObject({
      node_id: nodeId('The name of this node and of its output.'),
      type: z.literal(type).describe(summary),
      description: z.string().describe('What the node is for.').exactOptional(),
      input: anyJson('Replaces {{last}} as the input of this node.').exactOptional(),
      ...shape,
    })
    .describe(summary);
}

/** The targets in the named fields. */
export function targetsIn<Node extends object>(node: Node, ...fields: (keyof Node & string)[]): Target[] {
  const targets: Target[] = [];
  for (const field of fields) {
    const to = node[field];
    if (typeof to !== 'string') continue;
    targets.push(field === 'on_error' ? { field: [field], to, failed: true } : { field: [field], to });
  }
  return targets;
}

/** The values of `input` and of the named fields. */
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

/** Refuses a state node when the graph turns state off. */
export function checkStateAccess(node: GraphNode, { settings }: NodeContext): readonly Finding[] {
  if (settings.state_access?.default_enabled !== false) return [];
  const message = `the node "${node.node_id}" uses state, and state_access.default_enabled is false.`;
  const suggestion = 'Set state_access.default_enabled to true, or remove the node.';
  return [{ code: 'graph.state_disabled', field: ['type'], message, suggestion }];
}

export function checkDuplicateOptions(options: readonly string[], field: string): Finding[] {
  return options.flatMap((option, index) =>
    options.indexOf(option) === index
      ? []
      : [
          {
            code: 'graph.duplicate_option',
            field: [field, index],
            message: `the option "${option}" occurs twice.`,
            suggestion: 'Remove one of them.',
          },
        ],
  );
}
