import type {
  LanguageModelV3FinishReason,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { isOkaError, isTooDeep, type Json, OkaError } from '../../kernel/index.ts';
import {
  digestOfRequest,
  finishedAnswer,
  type GivenAnswer,
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

/** Converts an answer. One that is not finished or cannot be read is an error, with what the provider charges for it. */
export function toModelAnswer(
  given: SdkAnswer,
  request: ModelRequest,
  { entry, names }: { readonly entry: RemoteEntry; readonly names: WireToolNames },
): ModelAnswer {
  const usage = toUsage(given.usage);
  const who = `${entry.provider} (${request.model})`;
  const requestDigest = digestOfRequest(request);
  const isCut = given.finish.unified === 'length';
  try {
    const toolCalls = given.calls.map((call, place) =>
      toToolCall(isCut ? { ...call, input: '' } : call, who, names, `${requestDigest.slice(0, 12)}-${place}`),
    );
    const answer = finishedAnswer({
      text: given.text,
      toolCalls: withUniqueIds(toolCalls),
      usage,
      ending: endingOf(given.finish),
      model: request.model,
      provider: entry.provider,
      requestDigest,
    });
    if (!request.output || toolCalls.length > 0) return answer;
    return { ...answer, json: parseStructured(given.text, request.output.schema) };
  } catch (error) {
    if (!isOkaError(error)) throw error;
    const { code, message, data, transient } = error;
    throw new OkaError(code, message, { data: { ...data, usage: { ...usage } }, transient, cause: error });
  }
}

/** The reasons of all providers for the end of a finished answer. */
const FINISHED: ReadonlyMap<string, 'stop' | 'tool_calls'> = new Map([
  ...['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence'].map((raw) => [raw, 'stop'] as const),
  ...['tool_calls', 'tool_use', 'function_call'].map((raw) => [raw, 'tool_calls'] as const),
]);

/** The packages take some unknown reasons for a finished answer, so the provider's own word counts. */
function endingOf({ unified, raw }: LanguageModelV3FinishReason): GivenAnswer['ending'] {
  if (unified === 'length') return { as: 'length' };
  if (unified === 'content-filter') return { as: 'refused' };
  const as = raw === undefined ? undefined : FINISHED.get(raw);
  return as === undefined ? { as: 'unknown', reason: raw } : { as };
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
  return {
    // Zero input tokens means that the server did not count.
    ...(inputTokens.total ? { inputTokens: inputTokens.total } : {}),
    ...(inputTokens.cacheRead ? { cachedInputTokens: inputTokens.cacheRead } : {}),
    ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
  };
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
