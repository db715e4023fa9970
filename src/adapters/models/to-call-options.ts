import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { canonicalJson, type JsonObject } from '../../kernel/index.ts';
import {
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  type WireToolNames,
  wireToolNames,
} from '../../models/index.ts';
import type { RemoteEntry, SdkModels } from './types.ts';

/** One package returns structured output as a call of a tool with this name. */
const RESERVED = ['json'];
const PORTABLE_ID = /^[A-Za-z0-9_-]{1,40}$/;

/** The wire names of the tools of a request and of the calls in its history. */
export function wireNamesOf({ tools = [], messages }: ModelRequest): WireToolNames {
  const called = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ tool }) => tool));
  return wireToolNames([...tools.map(({ name }) => name), ...called], RESERVED);
}

interface CallOptions {
  readonly models: Pick<SdkModels, 'enforcesSchema' | 'options'>;
  readonly entry: RemoteEntry;
  readonly names: WireToolNames;
  readonly signal: AbortSignal;
  /** Set after the server has rejected the schema; then only the prompt contains it. */
  readonly schemaByPrompt: boolean;
}

/** Converts a request for the SDK packages. */
export function toCallOptions(request: ModelRequest, options: CallOptions): LanguageModelV3CallOptions {
  const { models, entry, names, signal } = options;
  const { output, tools = [], temperature, topP, seed, maxOutputTokens = entry.maxOutputTokens } = request;
  const held = output && !options.schemaByPrompt && models.enforcesSchema(output.schema, request);
  const system = [request.system, output && !held ? askForJson(output.schema) : undefined]
    .filter(Boolean)
    .join('\n\n');
  return {
    prompt: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...toPrompt(request.messages, names),
    ],
    abortSignal: signal,
    providerOptions: models.options(request, entry),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(output &&
      held && {
        responseFormat: {
          type: 'json',
          name: wireToolNames([output.name]).toWire(output.name),
          schema: output.schema as JSONSchema7,
        },
      }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name: names.toWire(name),
        description,
        inputSchema: inputSchema as JSONSchema7,
      })),
      toolChoice: { type: 'auto' as const },
    }),
  };
}

function askForJson(schema: JsonObject): string {
  const fitting =
    Object.keys(schema).length === 0 ? '' : ` It must fit this JSON Schema: ${canonicalJson(schema)}`;
  return `Answer with one JSON value and nothing else, without explanations and without a code fence.${fitting}`;
}

/** Converts the conversation; consecutive tool results form one message. */
function toPrompt(messages: readonly ModelMessage[], names: WireToolNames): LanguageModelV3Prompt {
  const calls = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls).map((call) => [call.id, call]));
  const ids = wireIdsOf(messages);
  const prompt: LanguageModelV3Message[] = [];
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'user') prompt.push({ role, content: [{ type: 'text', text: content }] });
    else if (role === 'assistant') {
      const parts = assistantParts(message, names, ids);
      if (parts.length > 0) prompt.push({ role, content: parts });
    } else {
      const result = resultPart(message, calls, names, ids);
      const last = prompt.at(-1);
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role, content: [result] });
    }
  }
  return prompt;
}

function assistantParts(
  { content, toolCalls = [] }: ModelMessage,
  names: WireToolNames,
  ids: ReadonlyMap<string, string>,
): ({ type: 'text'; text: string } | LanguageModelV3ToolCallPart)[] {
  const calls = toolCalls.map(({ id, tool, input }) => ({
    type: 'tool-call' as const,
    toolCallId: ids.get(id) ?? id,
    toolName: names.toWire(tool),
    input,
  }));
  return content === '' ? calls : [{ type: 'text', text: content }, ...calls];
}

function resultPart(
  { content, toolCallId = '' }: ModelMessage,
  calls: ReadonlyMap<string, ModelToolCall>,
  names: WireToolNames,
  ids: ReadonlyMap<string, string>,
): LanguageModelV3ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: ids.get(toolCallId) ?? toolCallId,
    toolName: names.toWire(calls.get(toolCallId)?.tool ?? 'unknown'),
    output: { type: 'text', value: content },
  };
}

/** Call ids may come from another provider; ids that are not portable are replaced by numbers. */
function wireIdsOf(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const ids = new Set(
    messages.flatMap(({ toolCalls = [], toolCallId }) => [
      ...toolCalls.map(({ id }) => id),
      ...(toolCallId === undefined ? [] : [toolCallId]),
    ]),
  );
  const table = new Map<string, string>();
  let number = 0;
  for (const id of ids) {
    let wireId = id;
    while (!PORTABLE_ID.test(wireId) || (wireId !== id && ids.has(wireId))) wireId = `call_${++number}`;
    table.set(id, wireId);
  }
  return table;
}
