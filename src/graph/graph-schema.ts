import * as z from 'zod';
import type { JsonObject } from '../kernel/index.ts';
import {
  budgets,
  jsonObject,
  MAX_ID_LENGTH,
  maxRetries,
  nodeId,
  text,
  timerSeconds,
} from './node-types/fields.ts';
import { NODE_TYPE_NAMES, NODE_TYPES } from './node-types.ts';
import { GUARANTEE_MODES } from './types.ts';

const GRAPH_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** All fields of a definition except its nodes. */
export const settingsSchema = z.strictObject({
  $schema: z.string().describe('The address of this schema, for editors.').exactOptional(),
  id: z.string().regex(GRAPH_ID).max(MAX_ID_LENGTH).describe('The stable name of the graph.'),
  name: text('The name for people.'),
  version: z
    .union([z.string().min(1), z.number()])
    .describe('The version of the graph: a number, or text such as 1.2.0.'),
  description: z.string().describe('The purpose of the graph.').exactOptional(),
  start: nodeId('The node where a run starts; a node of type start.'),
  execution_defaults: z
    .strictObject({
      guarantee_mode: z
        .enum(GUARANTEE_MODES)
        .describe('How much the graph guarantees; bounded when left out.')
        .exactOptional(),
      timeout_seconds: timerSeconds('For nodes without their own; not in strict mode.').exactOptional(),
      max_retries: maxRetries().describe('For nodes without their own; not in strict mode.').exactOptional(),
      budgets: budgets('The limits of one run.').exactOptional(),
    })
    .describe('Defaults for nodes without their own values.')
    .exactOptional(),
  state_access: z
    .strictObject({ default_enabled: z.boolean().describe('Whether state nodes are allowed.') })
    .describe('Whether the graph stores state between runs; allowed when this is left out.')
    .exactOptional(),
  max_steps: z
    .int()
    .min(1)
    .max(10_000_000)
    .describe(
      'The maximum number of nodes that a run enters; 12 for each node, and at least 20, when left out.',
    )
    .exactOptional(),
  input_schema: jsonObject('The JSON Schema of the input of a run.').exactOptional(),
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
    .describe('An automation of Oka: typed nodes and the edges between them.');
  return z.toJSONSchema(definition, { target: 'draft-2020-12' }) as JsonObject;
}
