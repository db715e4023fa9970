import { expect, test } from 'vitest';
import { problemOf, Web } from '../http/web-kit.ts';

const read = async () => '# HELP oka_steps_total Steps\n';

test('metrics need the token by default, and are served without it where the user allows that', async () => {
  const closed = await Web.open({ metrics: { access: 'token', read } });
  const refused = await closed.ask('/metrics', { headers: { host: closed.host } });
  expect(refused.status).toBe(401);
  expect(problemOf(refused).code).toBe('http.unauthorized');
  const wrong = { host: closed.host, authorization: 'Bearer wrong' };
  expect((await closed.ask('/metrics', { headers: wrong })).status).toBe(401);
  const allowed = await closed.ask('/metrics', { headers: { host: closed.host, ...closed.bearer } });
  expect(allowed).toMatchObject({ status: 200, text: await read() });
  expect(allowed.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });

  const open = await Web.open({ metrics: { access: 'open', read } });
  expect(await open.ask('/metrics', { headers: { host: open.host } })).toMatchObject({ status: 200 });
  const page = { host: open.host, origin: 'http://evil.example' };
  expect((await open.ask('/metrics', { headers: page })).status).toBe(403);
  expect((await open.ask('/metrics', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await open.ask('/metrics', { method: 'HEAD', headers: { host: open.host } })).status).toBe(405);
});

test('there is no page of metrics unless it is configured', async () => {
  const web = await Web.open();
  const { text, headers } = await web.ask('/metrics', { headers: { host: web.host, ...web.bearer } });
  expect(headers['content-type']).not.toContain('version=0.0.4');
  expect(text).not.toContain('oka_');
});
