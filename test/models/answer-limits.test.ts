import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelDelta, ModelProvider } from '../../src/models/index.ts';
import { collectAnswer } from '../../src/models/index.ts';
import { flood } from '../support/flood.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import {
  emulatorSaying,
  failureOf,
  providerAt,
  question,
  serve,
  signal,
  TOOLS,
  WIRE_FORMATS,
  type WireFormat,
} from './wires.ts';

const MIB = 1024 * 1024;
const LIMIT = MIB;
/** What a server can send beyond the limit before it notices: the buffers of both sockets. */
const SLACK = 16 * MIB;
const BLOCK = 64 * 1024;
const DEPTH = 20_000;

const TYPES = { lines: 'application/x-ndjson', events: 'text/event-stream' };

/** One piece of a streamed answer's text, as each protocol sends it. */
function textPiece({ provider }: WireFormat, text: string): string {
  if (provider === 'ollama') {
    const message = { role: 'assistant', content: text };
    return `${JSON.stringify({ model: 'model-1', created_at: '2026-01-01T00:00:00Z', message, done: false })}\n`;
  }
  if (provider === 'anthropic') {
    const delta = { type: 'text_delta', text };
    return `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}\n\n`;
  }
  const choices = [{ index: 0, delta: { content: text } }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'model-1', choices })}\n\n`;
}

/** What precedes the first text. */
function streamStart({ provider }: WireFormat): string {
  if (provider !== 'anthropic') return '';
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'model-1', content: [], usage: {} };
  const events = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** An answer in one piece that calls a tool; `input` is JSON. */
function callWith({ provider }: WireFormat, input: string): string {
  if (provider === 'ollama')
    return `{"model":"model-1","created_at":"2026-01-01T00:00:00Z","done":true,"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"files_read","arguments":${input}}}]}}`;
  const usage =
    '"usage":{"input_tokens":1,"output_tokens":1,"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}';
  if (provider === 'anthropic')
    return `{"id":"m","type":"message","role":"assistant","model":"model-1","content":[{"type":"tool_use","id":"t","name":"files_read","input":${input}}],"stop_reason":"tool_use","stop_sequence":null,${usage}}`;
  return `{"id":"x","object":"chat.completion","created":1,"model":"model-1","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"files_read","arguments":${JSON.stringify(input)}}}]}}],${usage}}`;
}

/** A server whose answers never end, and what it sent. */
async function endless(
  wire: WireFormat,
  {
    status = 200,
    type = '',
    start = '',
    piece,
  }: { status?: number; type?: string; start?: string; piece: string },
): Promise<{ provider: ModelProvider; flooded: () => Promise<number> }> {
  let report = (_: Promise<number>): void => undefined;
  const sent = new Promise<number>((resolve) => {
    report = resolve;
  });
  const url = await serve((incoming, response) => {
    incoming.resume();
    response.writeHead(status, { 'content-type': type });
    response.write(start);
    report(flood(response, piece));
  });
  const provider = await providerAt(wire, url, { entry: { maxAnswerBytes: LIMIT } });
  return { provider, flooded: () => sent };
}

async function readAll(stream: AsyncIterable<ModelDelta>): Promise<{ deltas: ModelDelta[]; error: unknown }> {
  const deltas: ModelDelta[] = [];
  try {
    for await (const delta of stream) deltas.push(delta);
    return { deltas, error: undefined };
  } catch (error) {
    return { deltas, error };
  }
}

describe.each(WIRE_FORMATS)('$provider', (wire) => {
  const type = wire.provider === 'ollama' ? TYPES.lines : TYPES.events;

  it('stops a streamed answer at its size limit, and reports no part of it as an answer', async () => {
    const piece = textPiece(wire, 'x'.repeat(1_000));
    const { provider, flooded } = await endless(wire, { type, start: streamStart(wire), piece });
    const { deltas, error } = await readAll(provider.stream(question('hello'), signal));
    expect(error).toMatchObject({
      code: 'models.answer_too_large',
      transient: false,
      message: expect.stringMatching(new RegExp(`${LIMIT} bytes.*"max_answer_bytes"`)),
      data: { limit: LIMIT, setting: 'max_answer_bytes' },
    });
    expect(deltas.length).toBeGreaterThan(0);
    expect(deltas.every(({ kind }) => kind === 'text')).toBe(true);
    expect(await flooded()).toBeLessThan(LIMIT + SLACK);
  });

  it('stops a line without an end at its size limit', async () => {
    const { provider, flooded } = await endless(wire, { type, start: 'data: "', piece: 'x'.repeat(BLOCK) });
    const { deltas, error } = await readAll(provider.stream(question('hello'), signal));
    expect(error).toMatchObject({ code: 'models.answer_too_large', data: { limit: LIMIT / 2 } });
    expect(deltas).toEqual([]);
    expect(await flooded()).toBeLessThan(LIMIT + SLACK);
  });

  it('stops an answer in one piece at its size limit', async () => {
    const start = '{"choices":[],"x":"';
    const { provider, flooded } = await endless(wire, {
      type: 'application/json',
      start,
      piece: 'x'.repeat(BLOCK),
    });
    expect(await failureOf(provider.complete(question('hello'), signal))).toMatchObject({
      code: 'models.answer_too_large',
      data: { limit: LIMIT / 2, setting: 'max_answer_bytes' },
    });
    expect(await flooded()).toBeLessThan(LIMIT + SLACK);
  });

  it('reads only the start of an error message without an end', async () => {
    const { provider, flooded } = await endless(wire, {
      status: 503,
      start: '{"error":"',
      piece: 'x'.repeat(BLOCK),
    });
    expect(await failureOf(provider.complete(question('hello'), signal))).toMatchObject({
      code: 'models.request_failed',
      transient: true,
      data: { status: 503 },
    });
    expect(await flooded()).toBeLessThan(SLACK);
  });

  it('closes the connection to a server that continues after the end of its answer', async () => {
    const emulator = await emulatorSaying({ content: 'short' });
    const whole = await (
      await fetch(`${emulator.url}${wire.path}${pathOf(wire)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer x', 'x-api-key': 'x' },
        body: JSON.stringify({
          model: 'm',
          stream: true,
          max_tokens: 9,
          messages: [{ role: 'user', content: 'x' }],
        }),
      })
    ).text();
    const { provider, flooded } = await endless(wire, { type, start: whole, piece: '\n'.repeat(BLOCK) });
    expect(await collectAnswer(provider.stream(question('hello'), signal))).toMatchObject({ text: 'short' });
    expect(await flooded()).toBeLessThan(SLACK);
  });

  it('limits the whole time of a call, whatever a server sends to keep it alive', async () => {
    const clock = new ManualClock();
    let ping = (): void => undefined;
    const listener: RequestListener = (incoming, response: ServerResponse) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': type });
      ping = () => void response.write(wire.provider === 'ollama' ? '\n' : ': wait\n\n');
      ping();
    };
    let heard = (): void => undefined;
    const counting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const seen = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk);
          heard();
        },
      });
      return new Response(response.body?.pipeThrough(seen) ?? null, response);
    };
    const nextByte = (): Promise<void> =>
      new Promise((resolve) => {
        heard = resolve;
      });
    const provider = await providerAt(wire, await serve(listener), {
      clock,
      fetch: counting,
      entry: { timeoutMs: 30_000, totalTimeoutMs: 100_000 },
    });
    let first = nextByte();
    const failed = failureOf(collectAnswer(provider.stream(question('hello'), signal)));
    for (let waited = 0; waited < 100_000; waited += 20_000) {
      await first;
      await settle();
      clock.advance(20_000);
      first = nextByte();
      ping();
    }
    expect(await failed).toMatchObject({
      code: 'models.timed_out',
      transient: false,
      message: expect.stringContaining('within 100 seconds'),
      data: { setting: 'total_timeout_seconds' },
    });
    expect(clock.advanceToNext()).toBe(false);
  });

  it('has a total limit of ten minutes by default, or twice the allowed silence', async () => {
    for (const [timeoutMs, totalMs] of [
      [undefined, 600_000],
      [86_400_000, 172_800_000],
    ] as const) {
      const clock = new ManualClock();
      const asked = clock.now();
      const timers: number[] = [];
      const callAt = clock.callAt.bind(clock);
      clock.callAt = (at, callback) => {
        timers.push(at - asked);
        return callAt(at, callback);
      };
      const url = await serve((_, response) => void response.destroy());
      const provider = await providerAt(wire, url, {
        clock,
        entry: timeoutMs === undefined ? {} : { timeoutMs },
      });
      await failureOf(provider.complete(question('hello'), signal));
      expect(timers).toContain(totalMs);
    }
  });

  it('refuses tool calls whose arguments are too large', async () => {
    const large = { path: 'x'.repeat(5_000) };
    const toolCalls = [{ name: 'files_read', arguments: JSON.stringify(large) }];
    const emulator = await emulatorSaying({ content: '', toolCalls });
    const provider = await providerAt(wire, emulator.url, { entry: { maxAnswerBytes: 16 * 4_000 } });
    const asked = question('hello', { tools: [TOOLS[0]] });
    for (const error of [
      await failureOf(provider.complete(asked, signal)),
      await failureOf(collectAnswer(provider.stream(asked, signal))),
    ])
      expect(error).toMatchObject({
        code: 'models.answer_too_large',
        message: expect.stringContaining('arguments of tool calls of more than 4000 bytes'),
      });
  });

  it('reports arguments that are nested too deeply as malformed', async () => {
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${callWith(wire, `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`)}\n`);
    });
    const provider = await providerAt(wire, url);
    const asked = question('hello', { tools: [TOOLS[0]] });
    const errors = [await failureOf(provider.complete(asked, signal))];
    // The whole answer of Ollama is also a stream of one line.
    if (wire.provider === 'ollama')
      errors.push(await failureOf(collectAnswer(provider.stream(asked, signal))));
    for (const error of errors) expect(error).toMatchObject({ code: 'models.malformed' });
  });

  it('refuses headers without an end', async () => {
    let report = (_: Promise<number>): void => undefined;
    const sent = new Promise<number>((resolve) => {
      report = resolve;
    });
    const server = createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-long: ');
      report(flood(socket, 'x'.repeat(BLOCK)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const provider = await providerAt(wire, `http://127.0.0.1:${port}`);
    expect(await failureOf(provider.complete(question('hello'), signal))).toMatchObject({
      code: 'models.unreachable',
      message: expect.stringContaining('headers'),
    });
    expect(await sent).toBeLessThan(SLACK);
  });
});

function pathOf({ provider }: WireFormat): string {
  if (provider === 'ollama') return '/chat';
  return provider === 'anthropic' ? '/messages' : '/chat/completions';
}
