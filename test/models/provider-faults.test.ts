import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isOkaError, OkaError } from '../../src/kernel/index.ts';
import { collectAnswer, type ModelProvider } from '../../src/models/index.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import {
  closedAddress,
  emulatorSaying,
  failureOf,
  KEY,
  providerAt,
  question,
  serve,
  signal,
  startEmulator,
  WIRE_FORMATS,
} from './wires.ts';

/** What both ways of asking fail with. */
async function failures(provider: ModelProvider): Promise<unknown[]> {
  return [
    await failureOf(provider.complete(question('hello'), signal)),
    await failureOf(collectAnswer(provider.stream(question('hello'), signal))),
  ];
}

function answering(status: number, headers: Record<string, string>, body: unknown): RequestListener {
  return (incoming, response) => {
    incoming.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

describe.each(WIRE_FORMATS)('$provider', (wire) => {
  it('keeps the pause that the provider requests', async () => {
    const emulator = await emulatorSaying({ status: 429, error: { message: 'slow down' }, retryAfter: 7 });
    for (const error of await failures(await providerAt(wire, emulator.url)))
      expect(error).toMatchObject({
        code: 'models.rate_limited',
        transient: true,
        data: { retryAfterMs: 7_000, status: 429 },
      });
  });

  it.each([
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
    ['a date', { 'retry-after': new Date(1_700_000_060_000).toUTCString() }, 60_000],
    ['nothing', {}, undefined],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
  ])('reads a pause given as %s', async (_, headers, retryAfterMs) => {
    const url = await serve(answering(429, headers, { error: { message: 'slow down' } }));
    const provider = await providerAt(wire, url, { clock: new ManualClock(1_700_000_000_000) });
    for (const error of await failures(provider)) {
      expect(error).toMatchObject({ code: 'models.rate_limited', transient: true });
      expect((error as OkaError).data['retryAfterMs']).toBe(retryAfterMs);
    }
  });

  it.each([
    [500, 'models.request_failed', true],
    [503, 'models.request_failed', true],
    [529, 'models.request_failed', true],
    [408, 'models.request_failed', true],
    [400, 'models.request_failed', false],
    [401, 'models.key_rejected', false],
    [403, 'models.request_failed', false],
    [404, 'models.not_configured', false],
    [413, 'models.context_exceeded', false],
  ])('classifies an answer of %i', async (status, code, transient) => {
    const emulator = await emulatorSaying({ status, error: { message: 'it did not work' } });
    for (const error of await failures(await providerAt(wire, emulator.url)))
      expect(error).toMatchObject({ code, transient, data: { status, provider: wire.provider } });
  });

  it.each([
    [429, 'rate_limit_exceeded', true],
    [429, 'insufficient_quota', false],
    [503, 'server_error', true],
    [529, 'overloaded_error', true],
    [500, 'overloaded_error', true],
    [500, 'server_error', false],
    [400, 'invalid_request_error', false],
  ])(
    'recognises whether an answer of %i with %s means that the provider is busy',
    async (status, type, isBusy) => {
      const emulator = await emulatorSaying({ status, error: { message: 'it did not work', type } });
      for (const error of await failures(await providerAt(wire, emulator.url)))
        expect(isOkaError(error) && error.data['busy']).toEqual(
          isBusy ? expect.stringMatching(/ is (rate limited|overloaded) \(\d+\)$/) : undefined,
        );
    },
  );

  it('makes one request, and leaves retries to its caller', async () => {
    const emulator = await emulatorSaying({ status: 500, error: { message: 'it did not work' } });
    await failureOf((await providerAt(wire, emulator.url)).complete(question('hello'), signal));
    expect(emulator.getRequests()).toHaveLength(1);
  });

  it('reports an answer that is not JSON as malformed', async () => {
    const emulator = await startEmulator();
    emulator.on({ endpoint: 'chat' }, { content: 'x' }, { chaos: { malformedRate: 1 } });
    const provider = await providerAt(wire, emulator.url);
    expect(await failureOf(provider.complete(question('hello'), signal))).toMatchObject({
      code: 'models.malformed',
    });
    // A stream of which nothing can be read has not ended as streams end.
    const streamed = await failureOf(collectAnswer(provider.stream(question('hello'), signal)));
    expect(isOkaError(streamed) && streamed.code).toMatch(/^models\.(malformed|stream_cut)$/);
  });

  it('reports reset and refused connections as transient', async () => {
    const emulator = await startEmulator();
    emulator.on({ endpoint: 'chat' }, { content: 'x' }, { chaos: { disconnectRate: 1 } });
    const closed = await serve((_, response) => response.destroy());
    const refused = await closedAddress();
    for (const [url, words] of [
      [emulator.url, /was (closed|reset)/],
      [closed, /was (closed|reset)/],
      [refused, /was refused/],
    ] as const)
      for (const error of await failures(await providerAt(wire, url)))
        expect(error).toMatchObject({
          code: 'models.unreachable',
          transient: true,
          message: expect.stringMatching(words),
        });
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('reports a host that is not found (%s) as transient', async (code) => {
    const lost: typeof fetch = () =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error('getaddrinfo'), { code }) }),
      );
    for (const error of await failures(await providerAt(wire, 'http://models.invalid', { fetch: lost })))
      expect(error).toMatchObject({
        code: 'models.unreachable',
        transient: true,
        message: expect.stringContaining('models.invalid'),
      });
  });

  it('stops waiting for a server that is silent for too long, also in the middle of its answer', async () => {
    const begun: RequestListener = (incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': wait\n\n');
    };
    const silent: RequestListener = (incoming) => void incoming.resume();
    for (const listener of wire.provider === 'ollama' ? [silent] : [silent, begun]) {
      const clock = new ManualClock();
      let heard = (): void => undefined;
      const asked = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const url = await serve((incoming, response) => {
        listener(incoming, response);
        heard();
      });
      const provider = await providerAt(wire, url, { clock, entry: { timeoutMs: 30_000 } });
      const failed = failureOf(collectAnswer(provider.stream(question('hello'), signal)));
      await asked;
      await settle();
      clock.advance(29_999);
      await settle();
      clock.advance(30_000);
      expect(await failed).toMatchObject({ code: 'models.silent', transient: true });
      expect(clock.advanceToNext()).toBe(false);
    }
  });

  it('waits two minutes for a silent server by default', async () => {
    const clock = new ManualClock();
    const start = clock.now();
    const url = await serve((incoming) => void incoming.resume());
    const provider = await providerAt(wire, url, { clock });
    const failed = failureOf(provider.complete(question('hello'), signal));
    await settle();
    clock.advanceToNext();
    expect(clock.now() - start).toBe(120_000);
    expect(await failed).toMatchObject({ code: 'models.silent', transient: true });
  });

  it('rejects with the reason when it is aborted while it waits, and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const reason = new Error('stop');
    const url = await serve((incoming) => {
      incoming.resume();
      controller.abort(reason);
    });
    const provider = await providerAt(wire, url, { clock });
    await expect(provider.complete(question('hello'), controller.signal)).rejects.toBe(reason);
    expect(clock.advanceToNext()).toBe(false);
  });

  it('does not follow a redirect with its key', async () => {
    let followed = false;
    const elsewhere = await serve((incoming, response) => {
      incoming.resume();
      followed = true;
      response.end();
    });
    const url = await serve(answering(307, { location: elsewhere }, ''));
    for (const error of await failures(await providerAt(wire, url)))
      expect(error).toMatchObject({ code: 'models.request_failed', transient: false, data: { status: 307 } });
    expect(followed).toBe(false);
  });

  it('never shows the key in an error', async () => {
    for (const status of [400, 401, 403, 500]) {
      const said = { error: { message: `the key ${KEY} is wrong`, type: KEY } };
      const url = await serve(answering(status, {}, said));
      for (const error of await failures(await providerAt(wire, url))) {
        expect(error).toBeInstanceOf(OkaError);
        const { message, stack, data, cause } = error as OkaError;
        expect(
          [message, stack, JSON.stringify(data), String(cause), JSON.stringify(cause)].join('\n'),
        ).not.toContain(KEY);
      }
    }
  });

  it('says what to do next', async () => {
    const refusing = await serve(answering(401, {}, { error: { message: 'bad key' } }));
    expect(
      await failureOf((await providerAt(wire, refusing)).complete(question('hello'), signal)),
    ).toMatchObject({
      message: `${wire.provider} rejected the API key in HOUSE_KEY (401 "bad key"). Set a new one: oka model add ${wire.provider}`,
    });
  });
});

describe('an error event in the middle of a stream', () => {
  it.each([
    [
      'anthropic' as const,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'models.request_failed',
      true,
    ],
    [
      'openai' as const,
      { error: { message: 'Too fast', type: 'rate_limit_exceeded' } },
      'models.rate_limited',
      true,
    ],
    [
      'openai-compatible' as const,
      { error: { message: 'Too long', code: 'context_length_exceeded' } },
      'models.context_exceeded',
      false,
    ],
  ])('of %s becomes the error of the stream', async (provider, event, code, transient) => {
    const url = await serve((incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: error\ndata: ${JSON.stringify(event)}\n\n`);
    });
    const asked = await providerAt({ provider, path: '/v1', embeds: false }, url);
    expect(await failureOf(collectAnswer(asked.stream(question('x'), signal)))).toMatchObject({
      code,
      transient,
    });
  });
});
