import * as z from 'zod';
import {
  type RecoveryNote,
  requireCapability,
  type Spend,
  type SpendContext,
  type Tool,
  type ToolContext,
} from '../engine/index.ts';
import { isOkaError, type JsonObject, OkaError, textOf } from '../kernel/index.ts';
import { estimateTokens } from '../memory/index.ts';
import {
  askModel,
  type FoundModel,
  type ModelAnswer,
  type ModelDirectory,
  type ModelRequest,
  parseStructured,
  reservationFor,
} from '../models/index.ts';
import { anyJson, defined, defineTool, READS } from './define-tool.ts';
import type { ModelText } from './ports.ts';

const completeInput = z.strictObject({
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
});

export const completeWithModel: Tool = defineTool({
  name: 'model.complete',
  description: 'Asks a language model and returns its answer: text, or JSON that matches a schema.',
  input: completeInput,
  output: anyJson,
  ...READS,
  spends: (input, on) => reserveAsking(input.model, completionOf(input), on),
  handler: async (input, context) => {
    const request = completionOf(input);
    const answer = await ask(context, input.model, request);
    if (request.output === undefined) return answer.text;
    return answer.json ?? parseStructured(answer.text, request.output.schema);
  },
});

function completionOf(input: z.output<typeof completeInput>): Question {
  const { prompt, messages = [], system, role, format, schema, temperature } = input;
  const asked = prompt === undefined ? messages : [...messages, { role: 'user' as const, content: prompt }];
  if (asked.length === 0) throw new OkaError('engine.tool_input_invalid', 'Give a prompt or messages.');
  const structured = format === 'json' ? ((schema ?? {}) as JsonObject) : undefined;
  return {
    messages: asked,
    ...defined({ system, temperature, purpose: role === undefined ? undefined : { role } }),
    ...(structured === undefined ? {} : { output: { name: 'answer', schema: structured } }),
  };
}

const chooseInput = z.strictObject({
  prompt: z.string().min(1),
  options: z.array(z.string().min(1)).min(2),
  model: z.string().optional(),
});

export const chooseWithModel: Tool = defineTool({
  name: 'model.choose',
  description: 'Asks a language model to choose one of several options; null if it chose none of them.',
  input: chooseInput,
  output: z.object({ choice: z.union([z.string(), z.null()]), answer: z.string() }),
  ...READS,
  spends: (input, on) => reserveAsking(input.model, choiceOf(input), on),
  handler: async (input, context) => {
    // A model may answer with the bare option instead of JSON.
    const answer = await ask(context, input.model, choiceOf(input)).catch((error: unknown) => {
      if (isOkaError(error, 'models.malformed')) return { text: textOf(error.data['text'] ?? '') };
      throw error;
    });
    const { json, text }: Pick<ModelAnswer, 'json' | 'text'> = answer;
    const named = (json as { choice?: unknown } | undefined)?.choice ?? json ?? text.trim();
    return { choice: input.options.find((option) => option === named) ?? null, answer: text };
  },
});

function choiceOf({ prompt, options }: z.output<typeof chooseInput>): Question {
  const schema: JsonObject = {
    type: 'object',
    properties: { choice: { type: 'string', enum: options } },
    required: ['choice'],
    additionalProperties: false,
  };
  return {
    system: `Choose exactly one of: ${options.join(', ')}. Answer with that option and nothing else.`,
    messages: [{ role: 'user', content: prompt }],
    output: { name: 'choice', schema },
    temperature: 0,
  };
}

/** A request without its model. */
type Question = Omit<ModelRequest, 'model'>;

async function ask(context: ToolContext, name: string | undefined, question: Question): Promise<ModelAnswer> {
  const found = await requireCapability<ModelDirectory>(context, 'models').find(name);
  return callModel(context, found, { ...question, purpose: { run: context.runId, ...question.purpose } });
}

async function reserveAsking(name: string | undefined, question: Question, on: SpendContext): Promise<Spend> {
  return reserveModel(await requireCapability<ModelDirectory>(on, 'models').find(name), question, on);
}

/** What a model call spends at most. */
export function reserveModel(found: FoundModel, question: Question, on: SpendContext): Spend {
  return { ...reservationFor(tokensOf(question), found, on.left) };
}

/** An upper estimate of the size of a request. */
function tokensOf({ system = '', messages, output }: Question): number {
  const texts = [system, ...messages.map(({ content }) => content), JSON.stringify(output?.schema ?? '')];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** Calls a model and charges all its requests to the run, also when it fails. What was received of a failed answer is kept. */
export async function callModel(
  context: ToolContext,
  found: FoundModel,
  question: Question,
  { streams = false }: { readonly streams?: boolean } = {},
): Promise<ModelAnswer> {
  const { runId: run, signal, reserved, reserve } = context;
  const followers = streams ? (context.capabilities['modelText'] as ModelText | undefined) : undefined;
  followers?.piece({ run, text: '', model: found.model });
  try {
    const { answer, spend } = await askModel(found, question, {
      signal,
      sentTokens: tokensOf(question),
      reserved,
      reserve: reserve && ((total) => reserve({ ...total })),
      ...(streams ? { onText: (text) => followers?.piece({ run, text }) } : {}),
    });
    context.charge({ ...spend });
    for (const note of answer.recovered ?? []) context.noteRecovery?.(note);
    return answer;
  } catch (error) {
    throw isOkaError(error) ? await recordFailure(context, error) : error;
  } finally {
    followers?.piece({ run, text: '', last: true });
  }
}

async function recordFailure(context: ToolContext, error: OkaError): Promise<OkaError> {
  const { spend = {}, recovered = [], received, ...data } = error.data;
  context.charge(spend as Spend);
  for (const note of recovered as RecoveryNote[]) context.noteRecovery?.(note);
  let { message } = error;
  if (typeof received === 'string') {
    const about = { name: `unfinished-answer-${context.step}.txt`, mediaType: 'text/plain' };
    const { name } = await context.emitArtifact(received.toWellFormed(), about);
    message += ` What was received is the artifact ${name} of the run.`;
  }
  return new OkaError(error.code, message, { data, transient: error.transient, cause: error });
}
