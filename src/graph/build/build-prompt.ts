import type { JsonObject } from '../../kernel/index.ts';
import { graphJsonSchema } from '../graph-schema.ts';
import { NODE_TYPE_NAMES, NODE_TYPES } from '../node-types.ts';
import type { Diagnostic } from '../types.ts';
import type { BuildTool } from './types.ts';

/** The system prompt of the builder. */
export function buildInstructions(tools: readonly BuildTool[]): string {
  return [
    'You turn a request of a person into an automation graph of Oka. Answer with JSON that fits the given schema.',
    '',
    'Rules:',
    '- The graph has one node of type start, named by "start", and at least one of type end. Every node can be reached from the start and can reach an end.',
    '- Use guarantee_mode "bounded". Every tool, ai_template, llm_condition and agent node has timeout_seconds and max_retries; max_retries is 0 for tools that may not be repeated.',
    '- Use only the tools below, with arguments that fit their schemas. Do not make up tools, paths or addresses.',
    '- Templates: {{input.x}} is the input of the run, {{node_id.x}} the output of an earlier node, {{last}} the output of the previous node. A field that is one template keeps its type.',
    '- Name only nodes that have run before on every path. A cycle needs max_steps.',
    '- Ask a person with an approval node before anything that cannot be undone, and branch on {{that_node.answer}}.',
    '- Ids are lower-case words joined by _. "choices" explains each node in a sentence.',
    '- When it should run at certain times, give the cron line in "schedule"; do not build the time into the graph.',
    '',
    'Types of nodes:',
    ...NODE_TYPE_NAMES.map((name) => `- ${name}: ${NODE_TYPES[name].summary}`),
    '',
    'Tools:',
    ...tools.map(toolLine),
  ].join('\n');
}

function toolLine({ name, description, input, annotations, sideEffect }: BuildTool): string {
  const repeat = annotations.readOnly || annotations.idempotent ? 'may be repeated' : 'may not be repeated';
  return `- ${name} (${sideEffect}, ${repeat}): ${description} Arguments: ${JSON.stringify(input.json())}`;
}

/** The diagnostics as the next message to the model. */
export function feedback(diagnostics: readonly Diagnostic[]): string {
  const lines = diagnostics.map(
    ({ code, path, message, suggestion }) =>
      `- ${path}: ${message} (${code})${suggestion ? ` ${suggestion}` : ''}`,
  );
  return [
    'The graph does not compile. Correct all of this and answer with the whole graph again:',
    ...lines,
  ].join('\n');
}

let schema: JsonObject | undefined;

export function answerSchema(): JsonObject {
  schema ??= makeSchema();
  return schema;
}

function makeSchema(): JsonObject {
  const { $schema: _, ...definition } = graphJsonSchema();
  const text = { type: 'string' };
  const choice = {
    type: 'object',
    properties: { step: text, node_id: text, tool: text, why: text },
    required: ['step', 'node_id', 'why'],
    additionalProperties: false,
  };
  const proposal = {
    type: 'object',
    properties: { definition, schedule: text, choices: { type: 'array', items: choice } },
    required: ['definition'],
    additionalProperties: false,
  };
  return { anyOf: [proposal, definition] };
}
