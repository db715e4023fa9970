import { get, type IncomingHttpHeaders, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { offerSource, serveHttp } from '../../src/adapters/mcp-server/index.ts';
import { connectHttp, listenWith, REVISIONS, TOKEN } from './clients.ts';
import { gate, IDENTITY, SmallOffer } from './small-offer.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
};

/** A request with exactly these headers, of which no client keeps any back; undefined takes one away. */
function send(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: string;
  } = {},
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...options.headers,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: options.method ?? 'POST', headers: Object.fromEntries(given), agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      },
    );
    sent.on('error', reject);
    sent.end(options.method === 'GET' ? undefined : (options.body ?? JSON.stringify(INITIALIZE)));
  });
}

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  it('lists and calls tools', async () => {
    const { url } = await listenWith(new SmallOffer());
    const client = await connectHttp(url, revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['files_read']);
    const answer = await client.callTool({ name: 'files_read', arguments: { path: 'a' } });
    expect(answer.structuredContent).toEqual({ read: 'a' });
  });

  it('receives progress on the stream of its call', async () => {
    const offer = new SmallOffer({
      steps: (_, { progress }) => {
        progress(1, 'files.read');
        return { ok: true, output: 'done' };
      },
    });
    const client = await connectHttp((await listenWith(offer)).url, revision);
    const heard: unknown[] = [];
    await client.callTool({ name: 'steps', arguments: {} }, { onprogress: (step) => heard.push(step) });
    expect(heard).toEqual([expect.objectContaining({ progress: 1, message: 'files.read' })]);
  });

  it('can cancel a call', async () => {
    const [started, aborted] = [gate(), gate()];
    const offer = new SmallOffer({
      slow: async (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.reach());
        started.reach();
        await aborted.reached;
        return { ok: true, output: null };
      },
    });
    const client = await connectHttp((await listenWith(offer)).url, revision);
    const stop = new AbortController();
    const call = client.callTool({ name: 'slow', arguments: {} }, { signal: stop.signal });
    await started.reached;
    stop.abort();
    await expect(call).rejects.toThrow();
    await aborted.reached;
  });

  it('is refused without the token', async () => {
    const { url } = await listenWith(new SmallOffer());
    await expect(connectHttp(url, revision, 'another')).rejects.toThrow();
  });
});

it('sends changes to listeners', async () => {
  const offer = new SmallOffer();
  const client = await connectHttp((await listenWith(offer)).url, '2026-07-28');
  const heard = gate();
  client.setNotificationHandler('notifications/tools/list_changed', () => heard.reach());
  await client.listen({ toolsListChanged: true });
  offer.change({ what: 'tools' });
  await heard.reached;
});

it('sends changes to sessions on their stream', async () => {
  const offer = new SmallOffer();
  const { url } = await listenWith(offer);
  const session = (await send(url)).headers['mcp-session-id'] as string;
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  await send(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
  const heard = gate<string>();
  const stream = get(
    url,
    { headers: { ...headers, authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream' } },
    (response) => {
      response.setEncoding('utf8').on('data', (text: string) => heard.reach(text));
      offer.change({ what: 'tools' });
    },
  );
  stream.on('error', () => undefined);
  expect(await heard.reached).toContain('notifications/tools/list_changed');
  stream.destroy();
});

describe('a request is refused', () => {
  const refusals: readonly [string, number, Parameters<typeof send>[1]][] = [
    ['without a token', 401, { headers: { authorization: undefined } }],
    ['with another token', 401, { headers: { authorization: 'Bearer another' } }],
    ['with a token that has only the right prefix', 401, { headers: { authorization: `Bearer ${TOKEN}x` } }],
    ['with the token in another scheme', 401, { headers: { authorization: TOKEN } }],
    ['under the name of another host', 403, { headers: { host: 'evil.example.com' } }],
    ['under the name of another port', 403, { headers: { host: '127.0.0.1:1' } }],
    ['from the page of another origin', 403, { headers: { origin: 'https://evil.example.com' } }],
    ['from a page without an origin', 403, { headers: { origin: 'null' } }],
    ['from a page of this machine on another port', 403, { headers: { origin: 'http://localhost:1' } }],
    ['from another site', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['from a same-site page', 403, { headers: { 'sec-fetch-site': 'same-site' } }],
    ['as a form', 415, { headers: { 'content-type': 'text/plain' } }],
    ['without a content type', 415, { headers: { 'content-type': undefined } }],
    ['with another method', 405, { method: 'PUT' }],
    ['as a CORS preflight', 405, { method: 'OPTIONS' }],
    ['when it is not JSON', 400, { body: '{"jsonrpc"' }],
    ['when it is not a message', 400, { body: '{"hello":"world"}' }],
    ['when it exceeds the size limit', 413, { body: JSON.stringify('x'.repeat(5 * 1_048_576)) }],
    ['for an unknown session', 404, { headers: { 'mcp-session-id': 'never' } }],
    ['for a stream without a session', 400, { method: 'GET' }],
  ];

  it.each(refusals)('%s', async (_, status, options) => {
    const offer = new SmallOffer();
    const { url } = await listenWith(offer);
    const answer = await send(url, options);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(offer.calls).toEqual([]);
  });

  it('at every other path, with 404 only after authentication', async () => {
    const { url } = await listenWith(new SmallOffer());
    const elsewhere = new URL('/elsewhere', url).href;
    expect((await send(elsewhere, { headers: { authorization: undefined } })).status).toBe(401);
    expect((await send(elsewhere)).status).toBe(404);
  });
});

it('accepts a request with localhost as its host and its own origin', async () => {
  const { url } = await listenWith(new SmallOffer());
  const { port } = new URL(url);
  const answer = await send(url, {
    headers: {
      host: `LOCALHOST:${port}`,
      origin: `http://localhost:${port}`,
      'sec-fetch-site': 'same-origin',
    },
  });
  expect(answer.status).toBe(200);
});

it('forgets an ended session, and refuses its further requests', async () => {
  const { url } = await listenWith(new SmallOffer());
  const session = (await send(url)).headers['mcp-session-id'] as string;
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  expect((await send(url, { headers, body: ping })).status).toBe(200);
  expect((await send(url, { headers, method: 'DELETE', body: '' })).status).toBe(200);
  expect((await send(url, { headers, body: ping })).status).toBe(404);
});

it('drops the least recently used session to make room for new ones', async () => {
  let made = 0;
  const { url } = await listenWith(new SmallOffer(), () => `session-${made++}`);
  const ping = (session: string) =>
    send(url, {
      headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
    });
  for (let i = 0; i < 64; i++) await send(url);
  expect((await ping('session-0')).status).toBe(200);
  await send(url);
  expect((await ping('session-0')).status).toBe(200);
  expect((await ping('session-1')).status).toBe(404);
});

it('listens on the loopback interface only', async () => {
  const { url } = await listenWith(new SmallOffer());
  expect(new URL(url).hostname).toBe('127.0.0.1');
});

it('reports that another program uses the port', async () => {
  const { url } = await listenWith(new SmallOffer());
  const options = {
    port: Number(new URL(url).port),
    token: TOKEN,
    newSessionId: () => '1',
    onWarning: () => {},
  };
  await expect(serveHttp(offerSource(new SmallOffer(), IDENTITY), options)).rejects.toMatchObject({
    code: 'serving.cannot_listen',
    message: expect.stringContaining('another program uses it'),
  });
});
