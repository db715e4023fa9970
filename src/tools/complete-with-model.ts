import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../engine/index.ts';
import { isOkaError, type JsonObject, OkaError, textOf } from '../kernel/index.ts';
import {
  type ModelAnswer,
  type ModelProvider,
  type ModelRequest,
  modelError,
  parseStructured,
} from '../models/index.ts';
import { anyJson, defined, defineTool, READS } from './define-tool.ts';
import type { ModelDirectory } from './ports.ts';

export const completeWithModel: Tool = defineTool({
  name: 'model.complete',
  description: 'Asks a language model and returns its answer: text, or JSON that matches a schema.',
  input: z.strictObject({
    prompt: z.string().min(1).optional().describe('the question'),
    messages: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() }))
      .optional()
      .describe('a conversation instead of one question'),
    system: z.string().optional(),
    role: z.string().optional().describe('the purpose of the answer; recorded, never sent to the model'),
    model: z.string().optional().describe('a configured model; default: the default model'),
    format: z.enum(['text', 'json']).default('text'),
    schema: z.record(z.string(), anyJson).optional().describe('the JSON Schema of the answer'),
    temperature: z.number().min(0).max(2).optional(),
  }),
  output: anyJson,
  ...READS,
  spends: { model_calls: 1 },
  handler: async ({ prompt, messages = [], system, role, model, format, schema, temperature }, context) => {
    const asked = prompt === undefined ? messages : [...messages, { role: 'user' as const, content: prompt }];
    if (asked.length === 0) throw new OkaError('engine.tool_input_invalid', 'Give a prompt or messages.');
    const structured = format === 'json' ? ((schema ?? {}) as JsonObject) : undefined;
    const answer = await ask(context, model, {
      messages: asked,
      ...defined({ system, temperature, purpose: role === undefined ? undefined : { role } }),
      ...(structured === undefined ? {} : { output: { name: 'answer', schema: structured } }),
    });
    if (structured === undefined) return answer.text;
    return answer.json ?? parseStructured(answer.text, structured);
  },
});

export const chooseWithModel: Tool = defineTool({
  name: 'model.choose',
  description: 'Asks a language model to choose one of several options; null if it chose none of them.',
  input: z.strictObject({
    prompt: z.string().min(1),
    options: z.array(z.string().min(1)).min(2),
    model: z.string().optional(),
  }),
  output: z.object({ choice: z.union([z.string(), z.null()]), answer: z.string() }),
  ...READS,
  spends: { model_calls: 1 },
  handler: async ({ prompt, options, model }, context) => {
    const schema: JsonObject = {
      type: 'object',
      properties: { choice: { type: 'string', enum: options } },
      required: ['choice'],
      additionalProperties: false,
    };
    const asked = ask(context, model, {
      system: `Choose exactly one of: ${options.join(', ')}. Answer with that option and nothing else.`,
      messages: [{ role: 'user', content: prompt }],
      output: { name: 'choice', schema },
      temperature: 0,
    });
    // A model may answer with the bare option instead of JSON.
    const answer = await asked.catch((error: unknown) => {
      if (isOkaError(error, 'models.malformed')) return { text: textOf(error.data['text'] ?? '') };
      throw error;
    });
    const { json, text }: Pick<ModelAnswer, 'json' | 'text'> = answer;
    const named = (json as { choice?: unknown } | undefined)?.choice ?? json ?? text.trim();
    return { choice: options.find((option) => option === named) ?? null, answer: text };
  },
});

async function ask(
  context: ToolContext,
  name: string | undefined,
  request: Omit<ModelRequest, 'model'>,
): Promise<ModelAnswer> {
  const { provider, model } = await requireCapability<ModelDirectory>(context, 'models').find(name);
  const purpose = { run: context.runId, ...request.purpose };
  return callModel(context, provider, { ...request, model, purpose });
}

/** Calls a model and charges the call and its usage to the run. */
export async function callModel(
  context: ToolContext,
  provider: ModelProvider,
  request: ModelRequest,
): Promise<ModelAnswer> {
  context.charge({ model_calls: 1 });
  const answer = await provider.complete(request, context.signal);
  for (const note of answer.recovered ?? []) context.noteRecovery?.(note);
  const { inputTokens = 0, outputTokens = 0 } = answer.usage;
  const cost = typeof answer.cost === 'number' ? answer.cost : 0;
  context.charge({ input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: cost });
  if (answer.finish === 'refused')
    throw modelError('models.refused', `The model ${answer.model} refused to answer.`);
  return answer;
}
