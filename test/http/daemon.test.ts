// The web server of a real daemon: `oka web`, a run over HTTP, the text of a model, restarts.

import { statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DaemonStatus, HTTP_ROUTES, OPERATIONS, type RunAnswer } from '../../src/api/index.ts';
import { BRIEF } from '../cli/oka-process.ts';
import { fakeProvider } from '../models/fake-provider.ts';
import { DaemonWeb } from './daemon-kit.ts';
import { problemOf, send } from './web-kit.ts';

const MODEL = 'openai-compatible';

const modelConfig = (url: string) =>
  JSON.stringify({
    models: { slow: { provider: MODEL, model: 'model-1', base_url: url } },
    default_model: 'slow',
  });

test('oka web starts the daemon and prints a link that opens the app once', async () => {
  const daemon = await DaemonWeb.start();
  const { data } = await daemon.workspace.answer<{ url: string }>('web', '--no-open', '/runs');
  const { port } = daemon.state;
  expect(data.url).toMatch(
    new RegExp(`^http://127\\.0\\.0\\.1:${port}/open\\?code=[0-9a-f]{64}&to=%2Fruns$`),
  );
  const path = data.url.slice(data.url.indexOf('/open'));
  const opened = await send(port, path);
  expect(opened).toMatchObject({ status: 303, headers: { location: '/runs' } });
  expect((await send(port, path)).status).toBe(401);
  const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] as string;
  const session = await send(port, '/v1/session', { headers: { cookie } });
  expect(JSON.parse(session.text)).toMatchObject({ folder: daemon.workspace.root });
  expect(statSync(daemon.stateFile).mode & 0o777).toBe(0o600);

  const printed = await daemon.workspace.oka('web', '--no-open');
  expect(printed.stdout).toContain(`http://127.0.0.1:${port}/open?code=`);
  const status = await daemon.workspace.answer<{ daemon: DaemonStatus }>('status');
  expect(status.data.daemon.web).toBe(`http://127.0.0.1:${port}`);
  expect((await daemon.workspace.oka('status')).stdout).toContain(`http://127.0.0.1:${port}`);
  expect((await daemon.workspace.oka('up')).stdout).toContain(`http://127.0.0.1:${port}/open?code=`);
  expect(await daemon.workspace.refusal('web', '//evil.example')).toMatchObject({
    error: { code: 'cli.usage' },
  });
});

test('a goal over HTTP is answered when its run is recorded, and its events are followed to the end', async () => {
  const daemon = await DaemonWeb.start();
  const stream = await daemon.follow('?kind=run');
  const { status, data } = await daemon.post<RunAnswer>('/v1/runs', { goal: BRIEF });
  expect([200, 202]).toContain(status);
  await stream.until(() => stream.events.some(({ data: { type } }) => type === 'run.completed'));
  expect(new Set(stream.events.map((event) => event.data['root']))).toEqual(new Set([data.run.id]));
  const shown = JSON.parse((await daemon.ask(`/v1/runs/${data.run.id}`)).text);
  expect(shown).toMatchObject({ run: { status: 'completed' } });
  expect(await daemon.workspace.answer('runs', 'show', data.run.id)).toMatchObject({ data: shown });
  const unknown = await daemon.ask('/v1/runs/nobody');
  expect(unknown.status).toBe(404);
  expect(problemOf(unknown).code).toBe('engine.unknown_run');
  expect(JSON.parse((await daemon.ask('/v1/openapi.json')).text)).toMatchObject({ openapi: '3.1.0' });
});

test('the text of a model is streamed to the pages that follow its run', async () => {
  const provider = await fakeProvider({ says: 'Tomatoes like sun.' });
  const daemon = await DaemonWeb.start();
  daemon.workspace.putAtHome('config.json', modelConfig(provider.url));
  const stream = await daemon.follow('');
  const { data } = await daemon.post<RunAnswer>('/v1/runs', { goal: 'what do tomatoes like?' });
  await stream.until(() => stream.events.some(({ data: { type } }) => type === 'run.completed'));
  const texts = stream.received.filter(({ event }) => event === 'text').map((piece) => piece.data);
  expect(texts.map(({ text }) => text).join('')).toContain('Tomatoes like sun.');
  expect(texts[0]).toMatchObject({ run: data.run.id, root: data.run.id });
});

test('every list and overview answers in the daemon, also operations that commands run in their own process', async () => {
  const daemon = await DaemonWeb.start();
  await daemon.workspace.answer('do', BRIEF);
  const { data: written } = await daemon.workspace.answer('do', 'write "four beds" to beds.txt');
  const run = JSON.parse((await daemon.ask(`/v1/runs/${written.run.id}`)).text).run as RunAnswer['run'];
  const artifact = run.artifacts?.find(({ name }) => name === 'beds.txt');
  const stored = await daemon.ask(`/v1/runs/${run.id}/artifacts/${artifact?.digest}`);
  expect(stored.status).toBe(200);
  expect(JSON.parse(stored.text)).toMatchObject({ encoding: 'utf8', content: 'four beds' });
  const routes = HTTP_ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  expect(routes.filter(({ operation }) => OPERATIONS[operation].kind === 'here').length).toBeGreaterThan(5);
  for (const { path, operation } of routes) {
    const { status, text } = await daemon.ask(path);
    // Some need a parameter, and say so.
    expect(status, `${operation}: ${text}`).toBeLessThan(500);
    if (OPERATIONS[operation].kind === 'here') expect([200, 400], `${operation}: ${text}`).toContain(status);
  }
  await daemon.workspace.verified();
});

test('a stopped daemon ends its streams; the next one has the same port, and pages continue', async () => {
  const daemon = await DaemonWeb.start();
  const cookie = await daemon.cookie();
  const { port } = daemon.state;
  const stream = await daemon.follow('?after=0', {});
  await daemon.post('/v1/runs', { goal: BRIEF });
  await stream.until(() => stream.events.some(({ data: { type } }) => type === 'run.completed'));
  expect((await daemon.workspace.answer('down')).data).toMatchObject({ stopped: true });
  await stream.ended;
  // Without a daemon, a command writes to the same ledger.
  await daemon.workspace.answer('do', 'read README.md');
  await daemon.up();
  expect(daemon.state.port).toBe(port);
  expect((await send(port, '/v1/session', { headers: { cookie } })).status).toBe(200);
  const again = await daemon.follow('', { 'last-event-id': String(stream.lastId) });
  const all = await daemon.workspace.verified();
  // Maintenance of the daemon adds events meanwhile.
  await again.until(() => (again.positions.at(-1) ?? 0) >= all);
  const positions = [...stream.positions, ...again.positions];
  expect(positions).toEqual(positions.map((_, i) => i + 1));
});

test('a daemon whose port is taken works without the web app, and says why', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  const daemon = await DaemonWeb.start();
  await daemon.workspace.answer('down');
  await daemon.workspace.answer('config', 'set', 'web.port', String(port));
  await daemon.up();
  const { data } = await daemon.workspace.answer<{ daemon: DaemonStatus }>('status');
  expect(data.daemon.web).toBeUndefined();
  expect(data.daemon.warnings[0]?.message).toContain(`port ${port}`);
  expect(await daemon.workspace.refusal('web', '--no-open')).toMatchObject({
    error: { code: 'http.cannot_listen' },
  });
  expect(await daemon.workspace.refusal('config', 'set', 'web.port', '70000')).toMatchObject({
    error: { code: 'config.invalid' },
  });
  expect(await daemon.workspace.refusal('config', 'set', '--project', 'web.port', '7000')).toMatchObject({
    error: { code: 'config.invalid' },
  });
});
