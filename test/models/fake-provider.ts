// A model provider with the OpenAI API on this machine: it checks keys, lists models, streams, calls tools and answers JSON, and
// fails in the ways that providers fail.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** How it refuses a question because it is busy. */
export interface Refusal {
  readonly status?: number;
  readonly retryAfter?: string;
  readonly kind?: string;
  /** Begins to stream this text before it refuses. */
  readonly begins?: string;
}

export interface FakeProviderOptions {
  /** Refuses the first questions, each in its way. A test may add more. */
  readonly refusals?: Refusal[];
  /** The only accepted key. Default: none is needed. */
  readonly key?: string;
  readonly models?: readonly (string | { readonly id: string; readonly [field: string]: unknown })[];
  /** Rejects requests with tools. */
  readonly rejectsTools?: boolean;
  /** Ends every answer in the middle. */
  readonly cuts?: boolean;
  /** Never answers a question. */
  readonly isSilent?: boolean;
  /** What it answers to any question without tools or JSON. */
  readonly says?: string;
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly response_format?: unknown;
}

export interface FakeProvider {
  readonly url: string;
  /** The questions so far. */
  readonly asked: readonly Asked[];
  /** The keys that came with them. */
  readonly keys: readonly string[];
}

const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };

export async function fakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const { models = ['model-1'] } = options;
  const asked: Asked[] = [];
  const keys: string[] = [];
  const listed = models.map((one) => (typeof one === 'string' ? { id: one } : one));
  const server = createServer((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    void text(request).then((body) => {
      if (options.key !== undefined && key !== options.key)
        return fail(response, 401, `Incorrect API key provided: ${key}.`, 'invalid_api_key');
      if (request.method === 'GET') return json(response, 200, { object: 'list', data: listed });
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      keys.push(key);
      if (!listed.some(({ id }) => id === question.model))
        return fail(response, 404, `The model '${question.model}' does not exist.`, 'model_not_found');
      if (question.tools !== undefined && options.rejectsTools)
        return fail(response, 400, `${question.model} does not support tools`, 'invalid_request_error');
      if (options.isSilent) return undefined;
      const refusal = options.refusals?.shift();
      if (refusal !== undefined) return refuse(response, question, refusal);
      return answer(response, question, options);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

function refuse(response: ServerResponse, { model }: Asked, refusal: Refusal): void {
  const { status = 429, retryAfter, kind = 'rate_limit_exceeded', begins } = refusal;
  const error = { message: 'Please wait.', type: kind, code: kind };
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  if (begins === undefined) {
    json(response, status, { error });
    return;
  }
  const chunk = {
    ...{ id: '1', created: 1, model, object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta: { role: 'assistant', content: begins } }],
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify({ error })}\n\n`);
}

function answer(
  response: ServerResponse,
  question: Asked,
  { cuts, says = 'It is done.' }: FakeProviderOptions,
): void {
  const call = question.tools?.find(({ function: { name } }) => name === 'report_sum');
  const content = question.response_format === undefined ? says : '{"city": "Paris"}';
  const base = { id: '1', created: 1, model: question.model };
  const toolCalls = [
    { index: 0, id: 'c1', type: 'function', function: { name: 'report_sum', arguments: '{"sum":5}' } },
  ];
  const message =
    call === undefined
      ? { role: 'assistant', content }
      : { role: 'assistant', content: null, tool_calls: toolCalls };
  const finish = call === undefined ? 'stop' : 'tool_calls';
  if (!question.stream) {
    if (cuts)
      return void response
        .writeHead(200, { 'content-length': '4000' })
        .write('{"id"', () => response.destroy());
    json(response, 200, {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: USAGE,
    });
    return;
  }
  const chunk = (choices: readonly unknown[], more = {}): string =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (cuts)
    return void response.write(chunk([{ index: 0, delta: { role: 'assistant', content: 'It' } }]), () =>
      response.destroy(),
    );
  response.write(chunk([{ index: 0, delta: message }]));
  response.end(
    `${chunk([{ index: 0, delta: {}, finish_reason: finish }], { usage: USAGE })}data: [DONE]\n\n`,
  );
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function fail(response: ServerResponse, status: number, message: string, code: string): void {
  json(response, status, { error: { message, type: code, code } });
}
