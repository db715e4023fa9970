import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PinnedHttp } from '../src/adapters/http/index.ts';
import type { ResolveName } from '../src/adapters/http/pinned-address.ts';
import type { PinnedHttpOptions } from '../src/adapters/http/pinned-http.ts';
import {
  type CredentialProvider,
  MemoryArtifactStore,
  type RunId,
  type Tool,
  type ToolContext,
} from '../src/engine/index.ts';
import { type Json, type JsonObject, systemClock } from '../src/kernel/index.ts';
import { builtInTools, type HttpRequest } from '../src/tools/index.ts';
import { flood } from './support/flood.ts';
import { ManualClock } from './support/manual-clock.ts';

const tool = builtInTools().find(({ name }) => name === 'http.fetch') as Tool;
const never = (): AbortSignal => new AbortController().signal;

/** A server on this machine; gives its port. */
async function serve(
  listener: (...given: Parameters<RequestListener>) => unknown,
): Promise<{ port: number; url: string; server: Server }> {
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, server };
}

function open(options: Partial<PinnedHttpOptions> = {}): PinnedHttp {
  return new PinnedHttp({
    clock: systemClock,
    resolve: () => Promise.reject(new Error('no names here')),
    ...options,
  });
}

const resolveTo =
  (...addresses: readonly string[]): ResolveName =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function get(http: PinnedHttp, url: string, extra: Partial<HttpRequest> = {}) {
  return http.fetch(
    {
      ...{ url, method: 'GET', headers: {}, maxBytes: 1_000_000, timeoutMs: 60_000 },
      mayFollow: async () => undefined,
      ...extra,
    },
    never(),
  );
}

function text(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

async function received(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Calls the tool as the engine does: input and output go through its schemas. */
async function call(input: Json, capabilities: Record<string, unknown>): Promise<JsonObject> {
  const artifacts = new MemoryArtifactStore(systemClock);
  const context = {
    runId: 'run-1' as RunId,
    signal: never(),
    capabilities,
    emitArtifact: artifacts.put.bind(artifacts),
  } as unknown as ToolContext;
  const output = await tool.handler(await parse(tool.input, input), context);
  return (await parse(tool.output as Tool['input'], output)) as JsonObject;
}

async function parse(schema: Tool['input'], value: unknown): Promise<unknown> {
  const result = await schema.check['~standard'].validate(value);
  if (result.issues) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

const PRIVATE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://0/',
  'http://0.0.0.0:80/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[4000::1]/',
];

describe('an address that is not public', () => {
  it.each(PRIVATE)('is refused as %s', async (url) => {
    await expect(get(open(), url)).rejects.toMatchObject({ code: 'http.address_refused' });
  });

  it.each(['127.0.0.1', '10.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', 'not an address'])(
    'is refused when a name resolves to %s, also next to a public one',
    async (address) => {
      for (const resolve of [resolveTo(address), resolveTo('93.184.216.34', address)])
        await expect(get(open({ resolve }), 'http://example.org/')).rejects.toMatchObject({
          code: 'http.address_refused',
          data: { host: 'example.org' },
        });
    },
  );

  it('is refused when the resolver of the system returns it', async () => {
    await expect(get(new PinnedHttp({ clock: systemClock }), 'http://localhost:1/')).rejects.toMatchObject({
      code: 'http.address_refused',
    });
  });

  it('is not reached by a name that resolves differently the second time: the first answer is used', async () => {
    const asked: string[] = [];
    const first = await serve((request, response) => response.end(`first for ${request.headers.host}`));
    const { port } = first;
    const second = createServer((_, response) => response.end('second'));
    await new Promise<void>((resolve) => second.listen(port, '127.0.0.2', resolve));
    onTestFinished(() => void second.close());
    const resolve: ResolveName = async (name) => {
      asked.push(name);
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const http = open({ resolve, allowPrivate: [`rebind.example:${port}`] });
    const { body } = await get(http, `http://rebind.example:${port}/`);
    expect([text(body), asked]).toEqual([`first for rebind.example:${port}`, ['rebind.example']]);
  });

  it('is allowed for the exact host and port that the user names, and for no other spelling', async () => {
    const { port, url } = await serve((_, response) => response.end());
    const http = open({ resolve: resolveTo('127.0.0.1'), allowPrivate: [`own.example:${port}`] });
    expect((await get(http, `http://own.example:${port}/`)).status).toBe(200);
    for (const other of [`http://own.example:${port + 1}/`, `http://sub.own.example:${port}/`, url])
      await expect(get(http, other)).rejects.toMatchObject({ code: 'http.address_refused' });
  });
});

describe('a redirect', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    '//10.0.0.1/',
    'http://2852039166/',
  ])('to %s is not followed', async (location) => {
    const { url, port } = await serve((_, response) => response.writeHead(302, { location }).end());
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    await expect(get(http, url)).rejects.toMatchObject({ code: 'http.address_refused' });
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'javascript:1',
    'data:,x',
    'http://user:pass@example.org/',
    'http://',
  ])('to %s is not followed', async (location) => {
    const { url, port } = await serve((_, response) => response.writeHead(301, { location }).end());
    await expect(get(open({ allowPrivate: [`127.0.0.1:${port}`] }), url)).rejects.toMatchObject({
      code: 'http.invalid_url',
    });
  });

  it('is checked at every hop with a resolver query of its own', async () => {
    const asked: string[] = [];
    const { port } = await serve((_, response) =>
      response.writeHead(302, { location: `http://second.example:${port}/` }).end(),
    );
    const resolve: ResolveName = async (name) => {
      asked.push(name);
      return [{ address: name === 'first.example' ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    const http = open({ resolve, allowPrivate: [`first.example:${port}`] });
    await expect(get(http, `http://first.example:${port}/`)).rejects.toMatchObject({
      code: 'http.address_refused',
      data: { address: '10.0.0.1' },
    });
    expect(asked).toEqual(['first.example', 'second.example']);
  });

  it('is followed only where the request says so, and its name is not resolved before', async () => {
    const asked: string[] = [];
    const { port } = await serve((_, response) =>
      response.writeHead(302, { location: `http://secret.second.example:${port}/` }).end(),
    );
    const resolve: ResolveName = async (name) => {
      asked.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const http = open({ resolve, allowPrivate: [`first.example:${port}`, `secret.second.example:${port}`] });
    const mayFollow: HttpRequest['mayFollow'] = async ({ url, method }, from) => {
      throw new Error(`${method} ${url.host} from ${from.host}`);
    };
    await expect(get(http, `http://first.example:${port}/`, { mayFollow })).rejects.toMatchObject({
      cause: new Error(`GET secret.second.example:${port} from first.example:${port}`),
    });
    expect(asked).toEqual(['first.example']);
  });

  it('is followed five times at most', async () => {
    const { url, port } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    const { url: last, redirects, body } = await get(http, `${url}/5`);
    expect([text(body), last, redirects.length]).toEqual(['there', `${url}/0`, 5]);
    await expect(get(http, `${url}/6`)).rejects.toMatchObject({ code: 'http.too_many_redirects' });
  });

  it('sends no secret to another origin, and keeps it for the same one', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const first = await serve((request, response) => {
      seen.push(request.headers);
      const location = request.url === '/' ? '/again' : `${other.url}/`;
      response.writeHead(307, { location }).end();
    });
    const allowPrivate = [`127.0.0.1:${first.port}`, `127.0.0.1:${other.port}`];
    const headers = { Authorization: 'Bearer a', Cookie: 'b', 'X-Own': 'c', 'X-Plain': 'd' };
    await get(open({ allowPrivate }), `${first.url}/`, { headers, secretHeaders: ['X-Own'] });
    const own = { authorization: 'Bearer a', cookie: 'b', 'x-own': 'c', 'x-plain': 'd' };
    expect(seen[0]).toMatchObject(own);
    expect(seen[1]).toMatchObject(own);
    expect(seen[2]).toMatchObject({ 'x-plain': 'd' });
    for (const name of ['authorization', 'cookie', 'x-own']) expect(seen[2]).not.toHaveProperty(name);
  });

  it.each([
    [301, 'POST', 'GET '],
    [302, 'POST', 'GET '],
    [303, 'PUT', 'GET '],
    [307, 'POST', 'POST body'],
    [308, 'PUT', 'PUT body'],
    [302, 'PUT', 'PUT body'],
  ] as const)('with status %i turns %s into "%s"', async (status, method, expected) => {
    const { url, port } = await serve(async (request, response) => {
      const body = await received(request);
      if (request.url === '/') response.writeHead(status, { location: '/next' }).end();
      else response.end(`${request.method} ${body}`);
    });
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    expect(text((await get(http, `${url}/`, { method, body: 'body' })).body)).toBe(expected);
  });
});

describe('a request', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://example.org/',
    'data:text/plain,x',
    'example.org',
    '',
    'http://',
  ])('to "%s" is refused because of its characters', async (url) => {
    await expect(get(open(), url)).rejects.toMatchObject({ code: 'http.invalid_url' });
  });

  it('with a user or a password in its address is refused, and neither is repeated', async () => {
    for (const url of ['https://ann:password1@example.org/', 'https://ann@example.org/']) {
      const error: unknown = await get(open(), url).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'http.invalid_url' });
      expect(JSON.stringify(error)).not.toMatch(/ann|password1/);
    }
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Proxy-Authorization',
    'a b',
    'x\r\ny',
  ])('with the header %j is refused', async (name) => {
    const http = open({ resolve: resolveTo('93.184.216.34') });
    await expect(get(http, 'http://example.org/', { headers: { [name]: '1' } })).rejects.toMatchObject({
      code: 'http.header_refused',
    });
  });

  it('is not split by a line break in a value, and does not repeat the value', async () => {
    const error: unknown = await get(open(), 'http://example.org/', {
      headers: { 'x-a': 'secret\r\nhost: inside' },
    }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'http.header_refused' });
    expect(String(error)).not.toContain('inside');
  });

  it('sends no secret in clear text', async () => {
    const http = open({ resolve: resolveTo('93.184.216.34') });
    const extra = { headers: { 'x-key': 'value' }, secretHeaders: ['x-key'] };
    await expect(get(http, 'http://example.org/', extra)).rejects.toMatchObject({
      code: 'http.secret_in_clear',
    });
  });

  it('ends at its timeout, also in the middle of the body', async () => {
    for (const listener of [
      () => undefined,
      (_: IncomingMessage, response) => void response.write('x'),
    ] as RequestListener[]) {
      const clock = new ManualClock();
      let arrived = (): void => undefined;
      const arrival = new Promise<void>((resolve) => (arrived = resolve));
      const { url, port } = await serve((request, response) => {
        listener(request, response);
        arrived();
      });
      const http = open({ clock, allowPrivate: [`127.0.0.1:${port}`] });
      const outcome = expect(get(http, url)).rejects.toMatchObject({
        code: 'http.timed_out',
        transient: true,
      });
      await arrival;
      clock.advance(60_000);
      await outcome;
    }
  });

  it('ends at its timeout, also while the name is resolved', async () => {
    const clock = new ManualClock();
    const http = open({ clock, resolve: () => new Promise(() => undefined) });
    const outcome = expect(get(http, 'http://example.org/')).rejects.toMatchObject({
      code: 'http.timed_out',
    });
    clock.advance(60_000);
    await outcome;
  });

  it('ends with the run', async () => {
    const abort = new AbortController();
    const { url, port } = await serve(() => abort.abort(new Error('stopped by a person')));
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    const mayFollow = async () => undefined;
    const request = { url, method: 'GET', headers: {}, maxBytes: 1, timeoutMs: 60_000, mayFollow } as const;
    await expect(http.fetch(request, abort.signal)).rejects.toThrow('stopped by a person');
    await expect(http.fetch(request, abort.signal)).rejects.toThrow('stopped by a person');
  });

  it('that is not answered fails as transient', async () => {
    const { port, server } = await serve(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    await expect(get(http, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'http.failed',
      transient: true,
      data: { system: 'ECONNREFUSED' },
    });
    await expect(get(open(), 'http://nowhere.example/')).rejects.toMatchObject({ code: 'http.failed' });
  });
});

describe('an answer', () => {
  it('is cut at the limit, also if it never ends', async () => {
    let report = (_: Promise<number>): void => undefined;
    const sent = new Promise<number>((resolve) => {
      report = resolve;
    });
    const { url, port } = await serve((_, response) => report(flood(response, 'x'.repeat(10_000))));
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    const { body, truncated } = await get(http, url, { maxBytes: 12_345 });
    expect([body.length, truncated]).toEqual([12_345, true]);
    // The server could fill the buffers of the connection, which is closed then.
    expect(await sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('of exactly the limit is whole', async () => {
    const { url, port } = await serve((_, response) => response.end('12345'));
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    expect(await get(http, url, { maxBytes: 5 })).toMatchObject({ truncated: false });
    expect(await get(http, url, { maxBytes: 4 })).toMatchObject({ truncated: true });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)(
    'that is small as %s and large when decoded is cut after decoding',
    async (encoding, compress) => {
      const bomb = compress(Buffer.alloc(2_000_000));
      const { url, port } = await serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
      );
      const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
      const { body, truncated } = await get(http, url, { maxBytes: 100_000 });
      expect([body.length, truncated]).toEqual([100_000, true]);
    },
  );

  it('passes on no cookies', async () => {
    const { url, port } = await serve((_, response) =>
      response.writeHead(200, { 'set-cookie': 'session=1', 'x-other': 'y' }).end(),
    );
    const { headers } = await get(open({ allowPrivate: [`127.0.0.1:${port}`] }), url);
    expect(headers).toMatchObject({ 'x-other': 'y' });
    expect(headers).not.toHaveProperty('set-cookie');
  });
});

describe('http.fetch', () => {
  it('is a read for safe methods, and an external change for every other one', () => {
    const classOf = (input: object) =>
      tool.forInput?.({ url: 'https://example.org', headers: {}, ...input }).sideEffect;
    expect(tool).toMatchObject({ sideEffect: 'external_mutation', untrusted: true });
    expect(classOf({})).toBe('read');
    expect(classOf({ method: 'HEAD', headers: { accept: 'text/html' } })).toBe('read');
    expect(tool.forInput?.({ url: 'https://example.org' }).annotations).toMatchObject({
      readOnly: true,
      idempotent: true,
      risk: 'low',
    });
    for (const input of [
      { method: 'POST' },
      { method: 'DELETE' },
      { method: 'OPTIONS' },
      { body: 'x' },
      { headers: { 'x-key': 'a {{ vault.NAME }}' } },
      { headers: { Authorization: 'Bearer x' } },
      { headers: { COOKIE: 'x' } },
    ])
      expect(classOf(input)).toBe('external_mutation');
  });

  it('decodes text by its charset, and stores other content', async () => {
    const bodies: Record<string, [string, Buffer]> = {
      '/utf8': ['text/plain; charset=utf-8', Buffer.from('grüße')],
      '/latin': ['text/plain; charset="ISO-8859-1"', Buffer.from('grüße', 'latin1')],
      '/meta': ['text/html', Buffer.from('<meta charset="windows-1252">grüße', 'latin1')],
      '/bom': ['text/plain', Buffer.from('\ufeffgrüße', 'utf16le')],
      '/none': ['application/unknown', Buffer.from('grüße')],
      '/odd': ['text/plain; charset=no-such', Buffer.from('grüße')],
    };
    const { url, port } = await serve((request, response) => {
      const [type, body] = bodies[request.url as string] ?? ['image/png', Buffer.of(0, 1, 2)];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    for (const path of Object.keys(bodies))
      expect((await call({ url: url + path }, { http }))['body']).toMatch(/grüße$/);
    const picture = await call({ url: `${url}/a/picture.png` }, { http });
    expect(picture).toMatchObject({ media_type: 'image/png', bytes: 3, artifact: expect.any(String) });
    expect(picture).not.toHaveProperty('body');
    const cut = await call({ url: `${url}/utf8`, max_bytes: 3 }, { http });
    expect(cut).toMatchObject({ body: 'gr', bytes: 3, truncated: true });
  });

  it('sends method, headers and body, with secrets in headers for the requested host', async () => {
    const asked: unknown[] = [];
    const secrets: CredentialProvider = {
      resolve: async (name, purpose) => {
        asked.push([name, purpose]);
        return name === 'TOKEN' ? 'value $& of it' : undefined;
      },
    };
    const { url, port } = await serve(async (request, response) => {
      response.end(`${request.method} ${request.headers['x-key']} ${await received(request)}`);
    });
    const http = open({ allowPrivate: [`127.0.0.1:${port}`] });
    const input = { url, method: 'PUT', headers: { 'x-key': 'Bearer {{vault.TOKEN}}' }, body: 'data' };
    expect(await call(input, { http, secrets })).toMatchObject({ body: 'PUT Bearer value $& of it data' });
    const purpose = { tool: 'http.fetch', run: 'run-1', host: `127.0.0.1:${port}` };
    expect(asked).toEqual([['TOKEN', purpose]]);
    await expect(
      call({ url, headers: { 'x-key': '{{vault.absent}}' } }, { http, secrets }),
    ).rejects.toMatchObject({ code: 'http.secret_missing' });
  });

  it.each([
    { url: 'https://example.org/?key={{vault.TOKEN}}' },
    { url: 'https://example.org/', method: 'POST', body: '{{ vault.TOKEN }}' },
    { url: 'https://example.org/', headers: { 'x-a': '{{vault. }}' } },
    { url: 'https://example.org/', method: 'GET', body: 'x' },
  ])('refuses %j', async (input) => {
    await expect(call(input, { http: open() })).rejects.toMatchObject({ code: 'http.invalid_request' });
  });
});
