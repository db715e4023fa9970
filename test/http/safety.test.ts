// Who may reach the web server, and what a hostile page, program or client cannot do.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LINK_LIFETIME_MS, SESSION_LIFETIME_MS } from '../../src/daemon/http/sessions.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { problemOf, send, Web } from './web-kit.ts';

const JSON_BODY = { 'content-type': 'application/json' };

/** An API that records what it is asked. */
function recordingApi() {
  const calls: string[] = [];
  const note = (name: string) => async (): Promise<object> => {
    calls.push(name);
    return { done: name };
  };
  const api = {
    runs: { show: note('show') },
    memory: { addFact: note('add') },
    trust: { approve: note('trust') },
  };
  return { api, calls };
}

describe('who may call', () => {
  test('a request without a token or a session is refused, and says how to get one', async () => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api });
    for (const path of [
      '/v1/session',
      '/v1/runs/a',
      '/v1/events',
      '/v1/events/list',
      '/v1/openapi.json',
      '/v1/no',
    ]) {
      const answer = await web.ask(path);
      expect(answer.status, path).toBe(401);
      expect(problemOf(answer)).toMatchObject({
        code: 'http.unauthorized',
        detail: expect.stringContaining('oka web'),
      });
    }
    expect(calls).toEqual([]);
  });

  test.each(['Bearer wrong', 'Bearer ', 'Basic dXNlcjpwYXNz', 'wrong'])(
    'the authorization %j is refused',
    async (given) => {
      const web = await Web.open();
      expect((await web.ask('/v1/session', { headers: { authorization: given } })).status).toBe(401);
    },
  );

  test('the token reaches operations, and only a browser those that act as the person', async () => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api });
    expect(await web.ask('/v1/runs/a', { headers: web.bearer })).toMatchObject({
      status: 200,
      text: '{"done":"show"}',
    });
    const trust = { method: 'POST', body: '{}' };
    const refused = await web.ask('/v1/trust', { ...trust, headers: { ...web.bearer, ...JSON_BODY } });
    expect(refused.status).toBe(403);
    expect(problemOf(refused).code).toBe('http.browser_only');
    const browser = { cookie: await web.cookie(), origin: web.server.url, ...JSON_BODY };
    expect((await web.ask('/v1/trust', { ...trust, headers: browser })).status).toBe(200);
    expect(calls).toEqual(['show', 'trust']);
  });

  test('the token in the address or in a cookie is not accepted', async () => {
    const web = await Web.open();
    expect((await web.ask(`/v1/session?token=${web.token}`)).status).toBe(401);
    const cookie = `oka_session_${web.server.port}=${web.token}`;
    expect((await web.ask('/v1/session', { headers: { cookie } })).status).toBe(401);
  });

  test('only the user can read the file with the token, and it holds no secret of a session', async () => {
    const web = await Web.open();
    const cookie = await web.cookie();
    expect(statSync(web.stateFile).mode & 0o777).toBe(0o600);
    const { sessions } = JSON.parse((await import('node:fs')).readFileSync(web.stateFile, 'utf8'));
    expect(sessions).toHaveLength(1);
    expect(JSON.stringify(sessions)).not.toContain(cookie.split('=')[1]);
  });

  test('a file with the token that others can read is not used', async () => {
    const stateFile = join(tempFolder(), 'web.json');
    const state = { port: 0, token: 'a'.repeat(64), sessions: [] };
    writeFileSync(stateFile, JSON.stringify(state), { mode: 0o644 });
    const web = await Web.open({ stateFile });
    expect(web.token).not.toBe(state.token);
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });
});

describe('one-time links', () => {
  test('a link opens its page with a cookie that scripts and other sites cannot use', async () => {
    const web = await Web.open();
    const answer = await web.ask(web.link('/runs/a?tab=story'));
    expect(answer).toMatchObject({ status: 303, headers: { location: '/runs/a?tab=story' } });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Strict',
    ]);
    const headers = { cookie: cookie.split(';', 1)[0] as string };
    expect(JSON.parse((await web.ask('/v1/session', { headers })).text)).toEqual({
      workspace: 'garden',
      folder: '/garden',
      version: '1',
    });
  });

  test('a link works once; the browser that used it is redirected to the page', async () => {
    const web = await Web.open();
    const link = web.link('/runs');
    const first = await web.ask(link);
    const second = await web.ask(link);
    expect(second).toMatchObject({ status: 401, text: expect.stringContaining('oka web') });
    expect(second.headers['set-cookie']).toBeUndefined();
    const cookie = first.headers['set-cookie']?.[0]?.split(';', 1)[0] as string;
    expect(await web.ask(link, { headers: { cookie } })).toMatchObject({
      status: 303,
      headers: { location: '/runs' },
    });
  });

  test('a link expires', async () => {
    const clock = new ManualClock();
    const web = await Web.open({ clock });
    const link = web.link();
    clock.advance(LINK_LIFETIME_MS);
    expect((await web.ask(link)).status).toBe(401);
  });

  test('a session expires', async () => {
    const clock = new ManualClock();
    const web = await Web.open({ clock });
    const cookie = await web.cookie();
    clock.advance(SESSION_LIFETIME_MS - 1);
    expect((await web.ask('/v1/session', { headers: { cookie } })).status).toBe(200);
    clock.advance(1);
    expect((await web.ask('/v1/session', { headers: { cookie } })).status).toBe(401);
  });

  test('a HEAD request does not use up a link', async () => {
    const web = await Web.open();
    const link = web.link();
    expect((await web.ask(link, { method: 'HEAD' })).status).toBe(405);
    expect((await web.ask(link)).status).toBe(303);
  });

  test.each([
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/a//../..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/runs\r\nset-cookie: a=b', '/runsset-cookie:%20a=b'],
    ['/runs\u2028<script>', '/runs%E2%80%A8%3Cscript%3E'],
    ['', '/'],
  ])('a link to %j leads to the own page %s', async (to, location) => {
    const web = await Web.open();
    const link = `${web.link()}&to=${encodeURIComponent(to)}`;
    const { headers, status } = await web.ask(link);
    expect({ status, location: headers.location }).toEqual({ status: 303, location });
    expect(headers['set-cookie']).toHaveLength(1);
  });
});

describe('other sites', () => {
  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example',
    '[::1]',
    '0.0.0.0',
  ])('the Host %j is refused, as by DNS rebinding', async (name) => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api });
    const host = name === '[::1]' || name === '0.0.0.0' ? `${name}:${web.server.port}` : name;
    for (const path of ['/', '/v1/runs/a', '/open?code=a']) {
      const answer = await web.ask(path, { headers: { ...web.bearer, host } });
      expect(answer.status, path).toBe(403);
      expect(problemOf(answer).code).toBe('http.forbidden');
    }
    expect(calls).toEqual([]);
  });

  // Only Linux answers at every address of 127.0.0.0/8.
  test.skipIf(process.platform !== 'linux')('on another address the checks are the same', async () => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api, address: '127.0.0.2' });
    const { port, url } = web.server;
    expect(url).toBe(`http://127.0.0.1:${port}`);
    await expect(web.ask('/v1/session')).rejects.toThrow('ECONNREFUSED');
    const ask = (host: string, headers = {}) =>
      send(port, '/v1/runs/a', { headers: { ...headers, host }, address: '127.0.0.2' });
    expect((await ask(`127.0.0.2:${port}`, web.bearer)).status).toBe(403);
    expect((await ask(web.host)).status).toBe(401);
    expect(calls).toEqual([]);
    expect((await ask(web.host, web.bearer)).status).toBe(200);
  });

  test('a request without a Host is refused', async () => {
    const web = await Web.open();
    const socket = web.connect();
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      heard += part;
    });
    socket.write('GET /v1/session HTTP/1.0\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(heard).toMatch(/^HTTP\/1\.1 40[03]/);
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    'the Origin %s is refused, with the session and with the token',
    async (origin) => {
      const { api, calls } = recordingApi();
      const web = await Web.open({ api });
      for (const who of [{ cookie: await web.cookie() }, web.bearer])
        for (const method of ['GET', 'POST'])
          expect(
            (await web.ask('/v1/facts', { method, headers: { ...who, origin, ...JSON_BODY } })).status,
          ).toBe(403);
      expect(calls).toEqual([]);
    },
  );

  test.each(['cross-site', 'same-site'])('a %s request is refused, also for a page', async (site) => {
    const web = await Web.open();
    const headers = { cookie: await web.cookie(), 'sec-fetch-site': site };
    for (const path of ['/', '/v1/session', '/v1/events', web.link()])
      expect((await web.ask(path, { headers })).status, path).toBe(403);
  });

  test('a form of another site changes nothing, whatever it sends', async () => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api });
    const cookie = await web.cookie();
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'text/plain'];
    for (const type of forms) {
      const form = { method: 'POST', body: '{"a":1}' };
      const headers = { cookie, 'content-type': type };
      expect((await web.ask('/v1/facts', { ...form, headers })).status).toBe(403);
      const own = { ...headers, 'sec-fetch-site': 'same-origin' };
      expect((await web.ask('/v1/facts', { ...form, headers: own })).status).toBe(415);
    }
    expect(calls).toEqual([]);
  });

  test('no answer allows another site to read or frame it', async () => {
    const web = await Web.open();
    const foreign = { origin: 'https://evil.example' };
    const asked = [
      await web.ask('/'),
      await web.ask('/v1/session', { headers: web.bearer }),
      await web.ask('/v1/session'),
      await web.ask('/v1/session', { method: 'OPTIONS', headers: foreign }),
      await web.ask(web.link()),
    ];
    for (const { headers } of asked) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers['content-security-policy']).toContain("default-src 'self'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe-eval/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    const stream = await web.follow();
    expect(stream.response.headers['content-security-policy']).toContain("default-src 'self'");
  });
});

describe('methods and bodies', () => {
  test.each(['OPTIONS', 'TRACE', 'PATCH', 'PROPFIND'])('%s is not supported', async (method) => {
    const web = await Web.open();
    for (const path of ['/', '/v1/facts', '/v1/no'])
      expect(await web.ask(path, { method, headers: web.bearer })).toMatchObject({
        status: 405,
        headers: { allow: expect.stringContaining('GET') },
      });
  });

  test('HEAD reads pages and calls no operation', async () => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api });
    expect(await web.ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    for (const path of ['/v1/runs/a', '/v1/events'])
      expect((await web.ask(path, { method: 'HEAD', headers: web.bearer })).status).toBe(405);
    expect(calls).toEqual([]);
  });

  test('a page can only be read', async () => {
    const web = await Web.open();
    const answer = await web.ask('/runs', { method: 'POST', headers: web.bearer });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('a body of more than 1 MB is refused, with and without its length', async () => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ api });
    const body = JSON.stringify({ text: 'x'.repeat(1_048_577) });
    const headers = { ...web.bearer, ...JSON_BODY };
    const known = await web.ask('/v1/facts', {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
      body,
    });
    const chunked = await web.ask('/v1/facts', {
      method: 'POST',
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
    });
    for (const answer of [known, chunked]) {
      expect(answer.status).toBe(413);
      expect(problemOf(answer).code).toBe('http.too_large');
    }
    expect(calls).toEqual([]);
  });

  test.each(['{', 'nothing', '"\\ud800', '['.repeat(100_000) + ']'.repeat(100_000)])(
    'a body that is not usable JSON is refused',
    async (body) => {
      const web = await Web.open();
      const answer = await web.ask('/v1/facts', {
        method: 'POST',
        headers: { ...web.bearer, ...JSON_BODY },
        body,
      });
      expect(answer.status).toBe(400);
      expect(problemOf(answer).code).toBe('http.bad_request');
    },
  );

  test('an unknown route is named', async () => {
    const web = await Web.open();
    const answer = await web.ask('/v1/nothing', { headers: web.bearer });
    expect(answer.status).toBe(404);
    expect(problemOf(answer)).toMatchObject({
      code: 'http.not_found',
      detail: expect.stringContaining('/v1/nothing'),
    });
  });

  test('an unexpected error of an operation returns a problem, and the server continues', async () => {
    const api = {
      runs: {
        show: async () => {
          throw new Error('broken');
        },
      },
    };
    const web = await Web.open({ api });
    const answer = await web.ask('/v1/runs/a', { headers: web.bearer });
    expect(answer.status).toBe(500);
    expect(problemOf(answer).code).toBe('cli.unexpected');
    expect((await web.ask('/v1/session', { headers: web.bearer })).status).toBe(200);
  });
});

describe('slow clients', () => {
  const limits = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };

  test.each([
    ['headers', 'GET /v1/session HTTP/1.1\r\nhost: HOST\r\nx-a: '],
    [
      'body',
      'POST /v1/facts HTTP/1.1\r\nhost: HOST\r\nauthorization: TOKEN\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('a request whose %s do not arrive is closed', async (_, half) => {
    const { api, calls } = recordingApi();
    const web = await Web.open({ ...limits, api });
    const socket = web.connect();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const { authorization = '' } = web.bearer;
    socket.resume().write(half.replace('HOST', web.host).replace('TOKEN', authorization));
    await closed;
    expect((await web.ask('/v1/session', { headers: web.bearer })).status).toBe(200);
    expect(calls).toEqual([]);
  });
});

describe('files of the app', () => {
  function builtApp(): string {
    const outside = tempFolder();
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    const folder = join(outside, 'web');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>app</title>');
    writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
    writeFileSync(join(folder, 'assets', 'index-AbCd1234.js'), 'run()');
    return folder;
  }

  test('every page is the app, which is never cached; hashed files are cached for a year', async () => {
    const web = await Web.open({ folder: builtApp() });
    for (const path of ['/', '/runs', '/runs/01abc', '/chats/a.b', '/index.html']) {
      const page = await web.ask(path);
      expect(page, path).toMatchObject({
        status: 200,
        text: expect.stringContaining('app'),
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      });
    }
    expect(await web.ask('/assets/index-AbCd1234.js')).toMatchObject({
      text: 'run()',
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': expect.stringContaining('immutable'),
      },
    });
    expect(await web.ask('/favicon.svg')).toMatchObject({ headers: { 'cache-control': 'no-cache' } });
    expect((await web.ask('/assets/old-AbCd1234.js')).status).toBe(404);
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%252e%252e/secret.txt',
    '/assets/%00',
    '/%ff',
    '//secret.txt',
  ])('%s reads nothing outside', async (path) => {
    const web = await Web.open({ folder: builtApp() });
    expect((await web.ask(path)).text).not.toContain('secret');
  });

  test('without a built app, the page says how to build it', async () => {
    const web = await Web.open({ folder: join(tempFolder(), 'web') });
    expect(await web.ask('/runs')).toMatchObject({ status: 200, text: expect.stringContaining('npm start') });
  });
});
