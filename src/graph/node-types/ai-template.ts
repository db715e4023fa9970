import * as z from 'zod';
import { checkSchema } from '../json-schema.ts';
import type { NodeType } from '../node-type.ts';
import { callOnce, NODE_TOOLS } from '../planner/decisions.ts';
import type { AiTemplateNode } from '../types.ts';
import { called, idempotencyKey, jsonObject, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Asks a model; its output is the answer, as text or as JSON.';

export const aiTemplate: NodeType<AiTemplateNode> = {
  type: 'ai_template',
  summary,
  schema: nodeSchema('ai_template', summary, {
    prompt_template: text('The question for the model.'),
    system_prompt: z.string().describe('Instructions for the model.').exactOptional(),
    output_format: z.enum(['text', 'json']).describe('Whether the answer is text or JSON.'),
    output_schema: jsonObject('The JSON Schema that a JSON answer must fit.').exactOptional(),
    model: text('The model to ask; the configured one when left out.').exactOptional(),
    ...idempotencyKey,
    ...called,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) =>
    templatesIn(node, 'prompt_template', 'system_prompt', 'idempotency_key', 'fallback_output'),
  check(node) {
    if (node.output_schema === undefined) return [];
    const field = ['output_schema'];
    if (node.output_format === 'json') return [...checkSchema(node.output_schema, field)];
    const message = 'output_schema is only for JSON answers, and output_format is "text".';
    const suggestion = 'Set output_format to "json", or remove output_schema.';
    return [{ code: 'graph.needless_field', field, message, suggestion }];
  },
  tools: () => [NODE_TOOLS.complete],
  decide(node, view) {
    const input = () => ({
      prompt: view.renderText(node.prompt_template),
      format: node.output_format,
      ...(node.system_prompt === undefined ? {} : { system: view.renderText(node.system_prompt) }),
      ...(node.output_schema === undefined ? {} : { schema: node.output_schema }),
      ...(node.model === undefined ? {} : { model: node.model }),
      ...(view.mode === 'strict' ? { temperature: 0 } : {}),
    });
    return callOnce(view, node, NODE_TOOLS.complete, input, `${node.node_id} asks a model`);
  },
};
