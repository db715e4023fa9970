import { describe, expect, it } from 'vitest';
import { collectAnswer, type ModelMessage } from '../../src/models/index.ts';
import {
  CITY,
  emulatorSaying,
  failureOf,
  providerAt,
  question,
  serve,
  serveBodies,
  signal,
  startEmulator,
  TOOLS,
  WIRE_FORMATS,
} from './wires.ts';

/** The names that the tools have on the wire, found in what the emulator was sent. */
function wireNames(body: unknown): string[] {
  const { tools = [] } = body as { tools?: { name?: string; function?: { name: string } }[] };
  return tools.map((tool) => tool.function?.name ?? tool.name ?? '');
}

describe.each(WIRE_FORMATS)('$provider', (wire) => {
  it('sends a conversation with tool calls and results, and restores the names of tools', async () => {
    const emulator = await startEmulator();
    const provider = await providerAt(wire, emulator.url);
    emulator.on({ endpoint: 'chat', hasToolResult: true }, { content: 'It says hello.' });
    emulator.on({ endpoint: 'chat', hasToolResult: false }, (request) => ({
      toolCalls: wireNames(request).map((name, i) => ({ name, arguments: `{"path":"${i}.md"}` })),
    }));

    const asked = question('what do they say?', { tools: TOOLS, system: 'Be short.' });
    const first = await provider.complete(asked, signal);
    expect(first.toolCalls.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: 'files.read', input: { path: '0.md' } },
      { tool: 'files_read', input: { path: '1.md' } },
    ]);

    const results = first.toolCalls.map(
      ({ id }, i): ModelMessage => ({ role: 'tool', content: `hello from ${i}`, toolCallId: id }),
    );
    const messages: readonly ModelMessage[] = [
      ...asked.messages,
      { role: 'assistant', content: first.text, toolCalls: first.toolCalls },
      ...results,
    ];
    const second = await collectAnswer(provider.stream({ ...asked, messages }, signal));
    expect(second).toMatchObject({ text: 'It says hello.', toolCalls: [], finish: 'stop' });

    const sent = JSON.stringify(emulator.getLastRequest()?.body);
    for (const word of ['hello from 0', 'hello from 1', '0.md', '1.md', 'Be short.', 'files_read'])
      expect(sent).toContain(word);
    expect(sent).not.toContain('files.read"');
  });

  it('returns structured output also for a schema that is not an object', async () => {
    const emulator = await emulatorSaying({ content: '["Oslo","Bergen"]' });
    const provider = await providerAt(wire, emulator.url);
    const output = {
      name: 'cities of Norway',
      schema: { type: 'array', items: { type: 'string' } },
    } as const;
    const answer = await provider.complete(question('which cities?', { output }), signal);
    expect(answer.json).toEqual(['Oslo', 'Bergen']);
  });
});

/** On Ollama's wire the arguments of tools are JSON themselves, and the emulator counts nothing and knows no limit there. */
describe.each(WIRE_FORMATS.filter(({ provider }) => provider !== 'ollama'))('$provider', (wire) => {
  it('reports the used tokens', async () => {
    const usage =
      wire.provider === 'anthropic'
        ? { input_tokens: 1_000, output_tokens: 500 }
        : { prompt_tokens: 1_000, completion_tokens: 500 };
    const emulator = await emulatorSaying({ content: 'Yes.', usage });
    const provider = await providerAt(wire, emulator.url);
    for (const answer of [
      await provider.complete(question('really?'), signal),
      await collectAnswer(provider.stream(question('really?'), signal)),
    ]) {
      expect(answer.usage).toEqual({ inputTokens: 1_000, outputTokens: 500 });
    }
  });

  it('never returns a call that the output limit may have cut', async () => {
    const toolCalls = [{ name: 'files_read', arguments: '{}' }];
    const emulator = await emulatorSaying({ toolCalls, finishReason: 'length' });
    const provider = await providerAt(wire, emulator.url);
    const asked = question('read', { tools: [TOOLS[1]] });
    for (const ask of [
      () => provider.complete(asked, signal),
      () => collectAnswer(provider.stream(asked, signal)),
    ])
      expect(await failureOf(ask())).toMatchObject({ code: 'models.malformed' });
  });

  it('fails when the output limit was reached, with what was received', async () => {
    const emulator = await emulatorSaying({ content: 'and then', finishReason: 'length' });
    const provider = await providerAt(wire, emulator.url, { entry: { maxOutputTokens: 12 } });
    expect(await failureOf(provider.complete(question('tell'), signal))).toMatchObject({
      code: 'models.answer_cut',
      data: { received: 'and then' },
    });
    expect(JSON.stringify(emulator.getLastRequest()?.body)).toContain('"max_tokens":12');
  });
});

/** Here the arguments of tools are text, and the emulator sends them as they are. */
describe.each(WIRE_FORMATS.filter(({ embeds }) => embeds))('$provider', (wire) => {
  it('reports tool arguments that are not JSON as malformed', async () => {
    const toolCalls = [{ name: 'files_read', arguments: '{"path": "a.m' }];
    const provider = await providerAt(wire, (await emulatorSaying({ toolCalls })).url);
    const asked = question('read', { tools: [TOOLS[1]] });
    expect(await failureOf(collectAnswer(provider.stream(asked, signal)))).toMatchObject({
      code: 'models.malformed',
      transient: false,
      data: { tool: 'files_read', text: '{"path": "a.m' },
    });
  });
});

describe('anthropic', () => {
  it('reports tool arguments that are not JSON as malformed', async () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage };
    const events = [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'files_read', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"path": "a' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.setHeader('content-type', 'text/event-stream');
      response.end(
        events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      );
    });
    const provider = await providerAt({ provider: 'anthropic', path: '/v1', embeds: false }, url);
    const asked = question('read', { tools: [TOOLS[1]] });
    expect(await failureOf(collectAnswer(provider.stream(asked, signal)))).toMatchObject({
      code: 'models.malformed',
      data: { tool: 'files_read', text: '{"path": "a' },
    });
  });
});

describe('openai-compatible servers', () => {
  it('get the schema in the prompt once they have refused it', async () => {
    const bodies: { response_format?: unknown; messages: unknown }[] = [];
    const url = await serveBodies((sentText, response) => {
      const body = JSON.parse(sentText);
      bodies.push(body);
      response.setHeader('content-type', 'application/json');
      if (body.response_format) {
        response.statusCode = 400;
        response.end(JSON.stringify({ error: { message: 'This response_format type is unavailable now' } }));
        return;
      }
      const message = { role: 'assistant', content: 'Here: ```json\n{"city":"Oslo"}\n```' };
      response.end(JSON.stringify({ id: '1', choices: [{ index: 0, finish_reason: 'stop', message }] }));
    });
    const provider = await providerAt({ provider: 'openai-compatible', path: '/v1', embeds: false }, url);
    for (let i = 0; i < 2; i++)
      expect((await provider.complete(question('where?', { output: CITY }), signal)).json).toEqual({
        city: 'Oslo',
      });
    expect(bodies.map(({ response_format }) => response_format !== undefined)).toEqual([true, false, false]);
    expect(JSON.stringify(bodies[2]?.messages)).toContain('JSON Schema');
  });
});

describe('ollama', () => {
  const wire = { provider: 'ollama', path: '/api', embeds: true } as const;

  it('returns one vector for each text, in batches', async () => {
    let calls = 0;
    const url = await serveBodies((sentText, response) => {
      const { model, input } = JSON.parse(sentText) as { model: string; input: string[] };
      calls += 1;
      const embeddings = input.map((one) => [one.length, 1]);
      const counts = { total_duration: 1, load_duration: 1, prompt_eval_count: 1 };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ model, embeddings, ...counts }));
    });
    const provider = await providerAt(wire, url, { entry: { embeddingModel: 'nomic' } });
    const texts = Array.from({ length: 300 }, (_, i) => 'x'.repeat(i));
    const vectors = await provider.embed?.(texts, signal);
    expect(vectors?.map(([length]) => length)).toEqual(texts.map(({ length }) => length));
    expect(calls).toBe(2);
    expect((await providerAt(wire, url)).embed).toBeUndefined();
  });

  it('gets its settings under its own names, and its counts are read', async () => {
    let sent: unknown;
    const url = await serveBodies((sentText, response) => {
      sent = JSON.parse(sentText);
      const message = { role: 'assistant', content: '{"city":"Oslo"}' };
      const counts = { prompt_eval_count: 2_000_000, eval_count: 1_000_000 };
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          model: 'm',
          created_at: 'now',
          done: true,
          done_reason: 'stop',
          message,
          ...counts,
        }),
      );
    });
    const provider = await providerAt(wire, url, {
      entry: { contextTokens: 32_000, maxOutputTokens: 99 },
    });
    const answer = await provider.complete(question('x', { temperature: 0, seed: 7, output: CITY }), signal);
    const usage = { inputTokens: 2_000_000, outputTokens: 1_000_000 };
    expect(answer).toMatchObject({ json: { city: 'Oslo' }, usage });
    expect(sent).toMatchObject({
      format: CITY.schema,
      options: { temperature: 0, seed: 7, num_predict: 99, num_ctx: 32_000 },
    });
  });

  it.each([
    ['an error in the middle', '{"error":"the model ran out of memory"}', 'models.request_failed'],
    ['a line that is not JSON', '{"model":"m","cre', 'models.malformed'],
    [
      'a call without a name',
      '{"model":"m","created_at":"t","done":false,"message":{"role":"assistant","content":"","tool_calls":[{"function":{"arguments":{}}}]}}',
      'models.malformed',
    ],
  ])('fails on %s instead of ignoring it', async (_, line, code) => {
    const first =
      '{"model":"m","created_at":"t","done":false,"message":{"role":"assistant","content":"half"}}';
    const last = '{"model":"m","created_at":"t","done":true,"message":{"role":"assistant","content":""}}';
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.end([first, line, last, ''].join('\n'));
    });
    const provider = await providerAt(wire, url);
    expect(await failureOf(collectAnswer(provider.stream(question('x'), signal)))).toMatchObject({ code });
  });
});
