// Owns: tool calls of models that have no tool calls of their own. The prompt describes the tools, and the model answers with a
// call as JSON.
import { isOkaError, type Json, type JsonObject } from '../kernel/index.ts';
import { digestOfRequest } from './collect-answer.ts';
import { parseStructured } from './parse-structured.ts';
import type { ModelProvider } from './ports.ts';
import { deltaWithRecoveries, withRecoveries } from './recoveries.ts';
import type {
  ModelAnswer,
  ModelDelta,
  ModelMessage,
  ModelRecovery,
  ModelRequest,
  ModelTool,
} from './types.ts';

interface PromptedToolsOptions {
  /** Describes tools in the prompt from the first request on; otherwise after the provider has rejected them. */
  readonly always: boolean;
}

/** Describes tools in the prompt where the model cannot call them itself. */
export function withPromptedTools(provider: ModelProvider, { always }: PromptedToolsOptions): ModelProvider {
  let prompts = always;
  const { embed } = provider;
  const isPlain = ({ tools = [] }: ModelRequest): boolean => tools.length === 0;
  /** What to record about a rejected request; rethrows any other error. */
  const rejected = async (error: unknown, { account }: ModelRequest): Promise<ModelRecovery> => {
    if (prompts || !isOkaError(error, 'models.tools_unsupported')) throw error;
    prompts = true;
    if (account && !(await account.admits('retry'))) throw error;
    const { code, message } = error;
    return { kind: 'model_retry', subject: provider.name, attempt: 1, waitMs: 0, code, message };
  };
  const completePrompted = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> =>
    readAnswer(await provider.complete(toPrompted(request), signal), request);
  return {
    name: provider.name,
    complete: async (request, signal) => {
      if (isPlain(request)) return provider.complete(request, signal);
      const failed: ModelRecovery[] = [];
      if (!prompts)
        try {
          return await provider.complete(request, signal);
        } catch (error) {
          failed.push(await rejected(error, request));
        }
      return withRecoveries(await completePrompted(request, signal), failed);
    },
    async *stream(request, signal) {
      if (isPlain(request)) return yield* provider.stream(request, signal);
      const failed: ModelRecovery[] = [];
      if (!prompts)
        try {
          return yield* provider.stream(request, signal);
        } catch (error) {
          failed.push(await rejected(error, request));
        }
      for await (const delta of heldBack(provider.stream(toPrompted(request), signal), request))
        yield deltaWithRecoveries(delta, failed);
    },
    ...(embed && { embed: (texts, signal) => embed.call(provider, texts, signal) }),
  };
}

/** Passes text on as it arrives, but holds back an answer that begins like a call. */
async function* heldBack(
  stream: AsyncIterable<ModelDelta>,
  request: ModelRequest,
): AsyncGenerator<ModelDelta> {
  let begun = '';
  let isText = false;
  for await (const delta of stream) {
    if (delta.kind === 'text') {
      if (isText) yield delta;
      else begun += delta.text;
      if (isText || !/^\s*[^\s{`]/.test(begun)) continue;
      isText = true;
      yield { kind: 'text', text: begun };
    } else {
      const answer = readAnswer(delta.answer, request);
      if (!isText && answer.text !== '') yield { kind: 'text', text: answer.text };
      yield { kind: 'answer', answer };
    }
  }
}

/** The request with its tools, calls and results as text. */
function toPrompted({ tools = [], system, messages, output, ...rest }: ModelRequest): ModelRequest {
  const final =
    output === undefined
      ? 'When no call is needed, answer in plain text.'
      : `When no call is needed, answer with one JSON value of this JSON Schema: ${JSON.stringify(output.schema)}`;
  const rules = [
    'You can call these tools:',
    ...tools.map(describe),
    'To call one, answer with this JSON object and nothing else, without a code fence:',
    '{"tool": "<name>", "input": {…}}',
    'One call per answer. Its result is the next message.',
    final,
  ].join('\n');
  const calls = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls).map((call) => [call.id, call.tool]),
  );
  return {
    ...rest,
    system: system === undefined ? rules : `${system}\n\n${rules}`,
    messages: messages.map((message) => toText(message, calls)),
  };
}

function describe({ name, description, inputSchema }: ModelTool): string {
  return `- ${name}: ${description} Input: ${JSON.stringify(inputSchema)}`;
}

function toText(
  { role, content, toolCalls = [], toolCallId = '' }: ModelMessage,
  calls: ReadonlyMap<string, string>,
): ModelMessage {
  if (role === 'tool')
    return { role: 'user', content: `Result of ${calls.get(toolCallId) ?? 'the tool'}:\n${content}` };
  const made = toolCalls.map(({ tool, input }) => JSON.stringify({ tool, input }));
  return { role, content: [...(content === '' ? [] : [content]), ...made].join('\n') };
}

function callSchema(tools: readonly ModelTool[]): JsonObject {
  return {
    type: 'object',
    properties: { tool: { enum: tools.map(({ name }) => name) }, input: { type: 'object' } },
    required: ['tool'],
  };
}

/** Reads a call from the text of an answer; an answer without one is text, or the requested JSON. */
function readAnswer(answer: ModelAnswer, request: ModelRequest): ModelAnswer {
  const { tools = [], output } = request;
  const requestDigest = digestOfRequest(request);
  const call = /["']tool["']/.test(answer.text) ? callIn(answer.text, tools) : undefined;
  if (call !== undefined) {
    const id = `call-${requestDigest.slice(0, 12)}-0`;
    return { ...answer, text: '', toolCalls: [{ id, ...call }], finish: 'tool_calls', requestDigest };
  }
  const json = output === undefined ? {} : { json: parseStructured(answer.text, output.schema) };
  return { ...answer, ...json, requestDigest };
}

function callIn(
  text: string,
  tools: readonly ModelTool[],
): { readonly tool: string; readonly input: Json } | undefined {
  try {
    const { tool, input = {} } = parseStructured(text, callSchema(tools)) as { tool: string; input?: Json };
    return { tool, input };
  } catch (error) {
    if (isOkaError(error, 'models.malformed')) return undefined;
    throw error;
  }
}
