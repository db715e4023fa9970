import type {
  LanguageModelV3FinishReason,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { isOkaError, isTooDeep, type Json, OkaError } from '../../kernel/index.ts';
import {
  costOf,
  digestOfRequest,
  type ModelAnswer,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
  modelError,
  parseStructured,
  type WireToolNames,
} from '../../models/index.ts';
import type { RemoteEntry } from './types.ts';

export interface SdkAnswer {
  readonly text: string;
  readonly calls: readonly LanguageModelV3ToolCall[];
  readonly finish: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

const SHOWN = 2_000;

/** Converts an answer; refused, malformed and cut ones are errors, so that an answer is always complete. */
export function toModelAnswer(
  given: SdkAnswer,
  request: ModelRequest,
  { entry, names }: { readonly entry: RemoteEntry; readonly names: WireToolNames },
): ModelAnswer {
  const usage = toUsage(given.usage);
  const who = `${entry.provider} (${request.model})`;
  if (given.finish.unified === 'content-filter')
    throw modelError(
      'models.refused',
      `${who} refused to answer. Change the request, or use another model.`,
      { data: { provider: entry.provider, model: request.model, usage, text: shown(given.text) } },
    );
  if (given.finish.unified === 'length' && given.calls.length > 0)
    throw modelError(
      'models.malformed',
      `${who} reached its output limit during a tool call. Allow more output tokens, or request less at once.`,
      { data: { provider: entry.provider, model: request.model, usage } },
    );
  try {
    return readAnswer(given, request, usage, { entry, names });
  } catch (error) {
    // The provider charges for an answer that cannot be used.
    if (!isOkaError(error)) throw error;
    const { code, message, data, transient } = error;
    throw new OkaError(code, message, { data: { ...data, usage: { ...usage } }, transient, cause: error });
  }
}

function readAnswer(
  given: SdkAnswer,
  request: ModelRequest,
  usage: ModelUsage,
  { entry, names }: { readonly entry: RemoteEntry; readonly names: WireToolNames },
): ModelAnswer {
  const who = `${entry.provider} (${request.model})`;
  const requestDigest = digestOfRequest(request);
  const toolCalls = given.calls.map((call, place) =>
    toToolCall(call, who, names, `${requestDigest.slice(0, 12)}-${place}`),
  );
  return {
    text: given.text,
    ...(request.output && toolCalls.length === 0
      ? { json: parseStructured(given.text, request.output.schema) }
      : {}),
    toolCalls: withUniqueIds(toolCalls),
    usage,
    cost: costOf(request.model, usage, entry.price && { [request.model]: { price: entry.price } }),
    finish: finishOf(given.finish, toolCalls.length),
    model: request.model,
    provider: entry.provider,
    requestDigest,
  };
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
  return {
    // Zero input tokens means that the server did not count.
    ...(inputTokens.total ? { inputTokens: inputTokens.total } : {}),
    ...(inputTokens.cacheRead ? { cachedInputTokens: inputTokens.cacheRead } : {}),
    ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
  };
}

function finishOf({ unified }: LanguageModelV3FinishReason, calls: number): ModelAnswer['finish'] {
  if (calls > 0) return 'tool_calls';
  return unified === 'length' ? 'length' : 'stop';
}

function toToolCall(
  { toolCallId, toolName, input }: LanguageModelV3ToolCall,
  who: string,
  names: WireToolNames,
  ownId: string,
): ModelToolCall {
  const tool = names.fromWire(toolName);
  try {
    const parsed = input.trim() === '' ? {} : (JSON.parse(input) as Json);
    if (isTooDeep(parsed)) throw new RangeError('it is nested too deeply');
    return { id: toolCallId || `call-${ownId}`, tool, input: parsed };
  } catch (error) {
    const problem = (error as Error).message;
    throw modelError(
      'models.malformed',
      `${who} called the tool ${tool} with invalid JSON as input: ${problem}. Retry with this problem in the prompt.`,
      { data: { tool, problems: [problem], text: shown(input) } },
    );
  }
}

/** Some servers give every call the same id; makes the ids of an answer unique. */
function withUniqueIds(calls: readonly ModelToolCall[]): readonly ModelToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, place) => {
    const id = seen.has(call.id) ? `${call.id}-${place}` : call.id;
    seen.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

function shown(text: string): string {
  return text.slice(0, SHOWN).toWellFormed();
}
