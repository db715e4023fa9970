import * as z from 'zod';
import type { JsonObject } from '../kernel/index.ts';
import {
  budgets,
  jsonObject,
  LONGEST_ID,
  maxRetries,
  nodeId,
  text,
  timerSeconds,
} from './node-types/fields.ts';
import { NODE_TYPE_NAMES, NODE_TYPES } from './node-types.ts';
import { GUARANTEE_MODES } from './types.ts';

const GRAPH_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Everything of a definition but its nodes. */
export const settingsSchema = z.strictObject({
  $schema: z.string().describe('The address of this schema, for editors.').exactOptional(),
  id: z.string().regex(GRAPH_ID).max(LONGEST_ID).describe('The stable name of the graph.'),
  name: text('The name that people see.'),
  version: z
    .union([z.string().min(1), z.number()])
    .describe('The version of the graph: a number, or text such as 1.2.0.'),
  description: z.string().describe('What the graph is for.').exactOptional(),
  start: nodeId('The node where a run begins; a node of type start.'),
  execution_defaults: z
    .strictObject({
      guarantee_mode: z
        .enum(GUARANTEE_MODES)
        .describe('How much the graph guarantees; bounded when left out.')
        .exactOptional(),
      timeout_seconds: timerSeconds(
        'For nodes that do not say themselves; not in strict mode.',
      ).exactOptional(),
      max_retries: maxRetries()
        .describe('For nodes that do not say themselves; not in strict mode.')
        .exactOptional(),
      budgets: budgets('What one run may use up.').exactOptional(),
    })
    .describe('What holds for every node that does not say otherwise.')
    .exactOptional(),
  state_access: z
    .strictObject({ default_enabled: z.boolean().describe('Whether state nodes are allowed.') })
    .describe('Whether the graph keeps state between runs; it may when this is left out.')
    .exactOptional(),
  max_steps: z
    .int()
    .min(1)
    .max(10_000_000)
    .describe('How many nodes a run may enter at most; 12 for each node, and at least 20, when left out.')
    .exactOptional(),
  input_schema: jsonObject('The JSON Schema that the input of a run must fit.').exactOptional(),
});

let schema: JsonObject | undefined;

/** The JSON Schema of the graph format, draft 2020-12. */
export function graphJsonSchema(): JsonObject {
  schema ??= makeSchema();
  return schema;
}

function makeSchema(): JsonObject {
  const nodes = NODE_TYPE_NAMES.map((name) => NODE_TYPES[name].schema) as unknown as [
    z.core.$ZodTypeDiscriminable,
    ...z.core.$ZodTypeDiscriminable[],
  ];
  const definition = settingsSchema
    .extend({
      nodes: z.array(z.discriminatedUnion('type', nodes)).describe('The nodes, in any order.'),
    })
    .describe('An automation of Oka: typed nodes and the ways between them.');
  return z.toJSONSchema(definition, { target: 'draft-2020-12' }) as JsonObject;
}
