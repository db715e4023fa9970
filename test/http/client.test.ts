// The typed client of the web app against the server with every route, on a real workspace.
import fc from 'fast-check';
import createClient, { type Client } from 'openapi-fetch';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HTTP_ROUTES, httpInput, openApiDocument } from '../../src/api/index.ts';
import type { paths } from '../../web/src/api/schema.ts';
import { openLivedInWorkspace } from '../http-contract/lived-in-workspace.ts';
import { Web } from './web-kit.ts';

async function open() {
  const place = await openLivedInWorkspace();
  onTestFinished(() => place.close());
  const web = await Web.open({
    ...{ api: place.api, feed: await place.oka.feed() },
    ...{ routes: HTTP_ROUTES, inputOf: httpInput, openApi: openApiDocument },
  });
  const baseUrl = `http://${web.host}`;
  const client: Client<paths> = createClient<paths>({ baseUrl, headers: web.bearer });
  const person: Client<paths> = createClient<paths>({
    baseUrl,
    headers: { cookie: await web.cookie(), origin: baseUrl },
  });
  return { ...place, web, client, person };
}

describe('garbage', () => {
  test('gets a problem or an answer, never 500', async () => {
    const { web } = await open();
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('.', '..', '%', '__proto__', 'last', 'hello', 'notes.txt', '{}'),
    );
    const asked = fc.record({
      route: fc.constantFrom(...HTTP_ROUTES),
      names: fc.array(texts, { minLength: 2, maxLength: 2 }),
      query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'node', 'query', 'runs'), texts, {
        maxKeys: 2,
      }),
      body: fc.oneof(texts, fc.json({ maxDepth: 2 })),
      type: fc.constantFrom('application/json', 'text/plain'),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ route, names, query, body, type }) => {
        const parts = names.map((name) => encodeURIComponent(name.toWellFormed()));
        const path = route.path.replaceAll(/\{\w+\}/g, () => parts.pop() ?? 'x');
        const search = new URLSearchParams(query).toString();
        const isRead = route.method === 'GET' || route.method === 'DELETE';
        const { status, text } = await web.ask(isRead ? `${path}?${search}` : path, {
          method: route.method,
          headers: { ...web.bearer, 'content-type': type },
          ...(isRead ? {} : { body: body.toWellFormed() }),
        });
        expect([route.operation, text, status < 500]).toEqual([route.operation, text, true]);
        if (status >= 400) expect(JSON.parse(text)).toMatchObject({ status, code: expect.any(String) });
      }),
      { numRuns: 100 },
    );
  });
});

describe('the typed client', () => {
  test('gives a goal and follows the run to its end', async () => {
    const { web, client } = await open();
    const started = await client.POST('/v1/runs', { body: { goal: 'read notes.txt', model: 'none' } });
    const run = started.data?.run.id ?? '';
    const follower = await web.follow(`?after=0&run=${run}`);
    await follower.until(() => follower.events.some(({ data }) => data['type'] === 'run.completed'));
    const { data } = await client.GET('/v1/runs', { params: { query: { status: ['completed'], limit: 1 } } });
    expect(data?.items).toMatchObject([{ id: run, goal: 'read notes.txt' }]);
    expect(data?.next).toEqual(expect.any(String));
  });

  test('starts a run, approves its call as the person, and explains it', async () => {
    const { web, client, person } = await open();
    const started = await client.POST('/v1/tools/{tool}/call', {
      params: { path: { tool: 'files.delete' } },
      body: { input: { path: 'notes.txt' } },
    });
    expect(started.error).toBeUndefined();
    expect([200, 202]).toContain(started.response.status);
    const run = started.data?.run.id ?? '';
    const follower = await web.follow(`?after=0&run=${run}`);
    await follower.until(() => follower.events.some(({ data }) => data['type'] === 'approval.requested'));
    const { data: inbox } = await client.GET('/v1/approvals', {
      params: { query: { status: ['pending'], run } },
    });
    const [request] = inbox?.items ?? [];
    expect(request).toMatchObject({ tool: 'files.delete', arguments: { path: 'notes.txt' } });
    const params = { path: { id: request?.id ?? '' } };
    const refused = await client.POST('/v1/approvals/{id}/approve', { params });
    expect(refused.error).toMatchObject({ status: 403, code: 'http.browser_only' });
    const approved = await person.POST('/v1/approvals/{id}/approve', { params, body: {} });
    expect(approved.error).toBeUndefined();
    await follower.until(() => follower.events.some(({ data }) => data['type'] === 'run.completed'));
    const { data: explained } = await client.GET('/v1/runs/{run}/explain', { params: { path: { run } } });
    expect(explained?.run.status).toBe('completed');
    const again = await person.POST('/v1/approvals/{id}/approve', { params, body: {} });
    expect(again.error).toMatchObject({ status: 409, code: 'engine.approval_decided' });
  });

  test('saves a graph once: a second editor gets a conflict', async () => {
    const { person, graph } = await open();
    const params = { path: { graph: 'hello' } };
    const { data: shown } = await person.GET('/v1/graphs/{graph}', { params });
    const save = (name: string) =>
      person.PUT('/v1/graphs/{graph}', {
        params,
        body: { definition: { ...graph, name }, revision: shown?.revision ?? '' },
      });
    expect((await save('one')).data?.definition).toMatchObject({ name: 'one' });
    expect((await save('two')).error).toMatchObject({ status: 409, code: 'graph.changed' });
    const { data: versions } = await person.GET('/v1/graphs/{graph}/versions', { params });
    expect(versions?.map(({ current }) => current)).toEqual([true, false]);
  });

  test('gets a problem with a code and the field for a bad request', async () => {
    const { client, web } = await open();
    const unknown = await client.GET('/v1/runs/{run}', { params: { path: { run: 'nothing' } } });
    expect(unknown.error).toMatchObject({ status: 404, code: 'engine.unknown_run', title: 'Not found' });
    const invalid = await client.GET('/v1/runs', { params: { query: { limit: 0 } } });
    expect(invalid.error).toMatchObject({ status: 400, code: 'http.bad_request', data: { field: 'limit' } });
    const { text } = await web.ask('/v1/runs?wat=1', { headers: web.bearer });
    expect(JSON.parse(text)).toMatchObject({ code: 'http.bad_request', data: { field: 'wat' } });
  });
});
