// A model server on this machine that speaks every wire format, and ends each answer as it is told.
import type { ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { serve } from './wires.ts';

/** One answer and its end. */
export interface Ending {
  readonly text: string;
  /** The stop reason; null sends none. */
  readonly reason: string | null;
  /** Closes the connection before the end. */
  readonly cut?: boolean;
  /** Fails with this status instead of answering. */
  readonly status?: number;
  /** Sends a tool call with this input. */
  readonly call?: string;
}

export interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export const USAGE = { input: 100, output: 40 };

/** Plays the endings in turn; after the last one it repeats it. */
export async function endingServer(endings: readonly Ending[], asked: Asked[] = []): Promise<string> {
  return serve((request, response) => {
    void readText(request).then((body) => {
      const question = JSON.parse(body) as Asked;
      const ending = endings[Math.min(asked.length, endings.length - 1)] as Ending;
      asked.push(question);
      if (ending.status !== undefined)
        return response
          .writeHead(ending.status, { 'content-type': 'application/json', 'retry-after-ms': '0' })
          .end(JSON.stringify({ error: { message: 'not now', type: 'server_error' } }));
      const play = request.url?.endsWith('/messages')
        ? anthropic
        : request.url?.endsWith('/api/chat')
          ? ollama
          : openai;
      return play(response, ending, question.stream ?? !request.url?.includes('/v1'));
    });
  });
}

/** Ends a response, or closes its connection in the middle. */
function end(response: ServerResponse, { cut }: Ending, last: string): void {
  if (cut) response.write(' ', () => response.destroy());
  else response.end(last);
}

function openai(response: ServerResponse, ending: Ending, streams: boolean): void {
  const { text, reason, call } = ending;
  const tool_calls = call === undefined ? [] : [toolCall(call)];
  const usage = { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: 0 };
  const base = { id: '1', created: 1, model: 'm' };
  if (!streams) {
    const message = { role: 'assistant', content: text, ...(call === undefined ? {} : { tool_calls }) };
    const choices = [{ index: 0, message, finish_reason: reason }];
    response.writeHead(200, { 'content-type': 'application/json' });
    end(response, ending, JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: object, finish: string | null, more = {}): string =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  response.write(chunk({ role: 'assistant', content: text }, null));
  if (call !== undefined) response.write(chunk({ tool_calls: [{ index: 0, ...toolCall(call) }] }, null));
  end(response, ending, `${chunk({}, reason, { usage })}data: [DONE]\n\n`);
}

function toolCall(input: string) {
  return { id: 'call-1', type: 'function', function: { name: 'files_read', arguments: input } };
}

function anthropic(response: ServerResponse, ending: Ending, streams: boolean): void {
  const { text, reason, call } = ending;
  const usage = { input_tokens: USAGE.input, output_tokens: USAGE.output };
  const message = { id: '1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
  const use = call === undefined ? [] : [{ type: 'tool_use', id: 'c1', name: 'files_read', input: {} }];
  if (!streams) {
    const content = [{ type: 'text', text }, ...use];
    response.writeHead(200, { 'content-type': 'application/json' });
    end(response, ending, JSON.stringify({ ...message, content, stop_reason: reason, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const block = (index: number, content_block: object, delta: object): string =>
    event('content_block_start', { index, content_block }) +
    event('content_block_delta', { index, delta }) +
    event('content_block_stop', { index });
  response.write(event('message_start', { message: { ...message, content: [], stop_reason: null, usage } }));
  response.write(block(0, { type: 'text', text: '' }, { type: 'text_delta', text }));
  if (call !== undefined)
    response.write(block(1, use[0] as object, { type: 'input_json_delta', partial_json: call }));
  const delta = { stop_reason: reason, stop_sequence: null };
  end(response, ending, event('message_delta', { delta, usage }) + event('message_stop', {}));
}

function ollama(response: ServerResponse, ending: Ending, streams: boolean): void {
  const { text, reason, call } = ending;
  const base = { model: 'm', created_at: '2026-01-01T00:00:00Z' };
  const calls =
    call === undefined ? {} : { tool_calls: [{ function: { name: 'files_read', arguments: {} } }] };
  const counts = { prompt_eval_count: USAGE.input, eval_count: USAGE.output };
  const line = (content: string, more: object): string =>
    `${JSON.stringify({ ...base, message: { role: 'assistant', content, ...calls }, ...more })}\n`;
  const last = { done: true, ...(reason === null ? {} : { done_reason: reason }), ...counts };
  response.writeHead(200, { 'content-type': streams ? 'application/x-ndjson' : 'application/json' });
  if (streams) response.write(line(text, { done: false }));
  end(
    response,
    ending,
    streams
      ? `${JSON.stringify({ ...base, message: { role: 'assistant', content: '' }, ...last })}\n`
      : line(text, last),
  );
}

export type Wire = 'openai' | 'openai-compatible' | 'anthropic' | 'ollama';
export const WIRES: readonly Wire[] = ['openai', 'openai-compatible', 'anthropic', 'ollama'];

const OF_OPENAI = { finished: ['stop'], cut: 'length', refused: 'content_filter' };
/** The stop reasons of each provider. */
export const REASONS = {
  openai: OF_OPENAI,
  'openai-compatible': OF_OPENAI,
  anthropic: { finished: ['end_turn', 'stop_sequence'], cut: 'max_tokens', refused: 'refusal' },
  ollama: { finished: ['stop'], cut: 'length', refused: 'content_filter' },
} as const;

/** Reasons that no finished text has: unknown ones, none, and tool calls that are not there. */
const OTHERS = [
  'tool_calls',
  'tool_use',
  'pause_turn',
  'load',
  'error',
  'insufficient_system_resource',
  null,
];

const someText = fc.constantFrom('Half of a sen', 'A whole sentence.', '# Report\n\nAll of it.\n', 'é ✓');
const blank = fc.constantFrom('', ' ', '\n\n', '\t \n');

/** Any answer that is finished. */
export function finishedEnding(wire: Wire): fc.Arbitrary<Ending> {
  return fc.record({ text: someText, reason: fc.constantFrom(...REASONS[wire].finished) });
}

/** Any answer that ends at the output limit after some text, so that it can be continued. */
export function cutEnding(wire: Wire): fc.Arbitrary<Ending> {
  return fc.record({ text: someText, reason: fc.constant(REASONS[wire].cut) });
}

/** Any answer that is not finished and cannot be continued. */
export function brokenEnding(wire: Wire): fc.Arbitrary<Ending> {
  const { finished, cut, refused } = REASONS[wire];
  return fc.oneof(
    fc.record({ text: blank, reason: fc.constantFrom<string>(...finished, cut) }),
    fc.record({ text: fc.oneof(someText, blank), reason: fc.constant(refused) }),
    fc.record({ text: fc.oneof(someText, blank), reason: fc.constantFrom(...OTHERS) }),
    fc.record({ text: someText, reason: fc.constantFrom(...finished), cut: fc.constant(true) }),
  );
}
