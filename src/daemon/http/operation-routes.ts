// Owns: the routes of operations: their input, who may call them, and when they answer. Does not own: what operations do.
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type HttpRequest, type HttpRoute, OkaError, type OperationName } from '../../api/index.ts';
import { isTooDeep, type Warning } from '../../kernel/index.ts';
import type { Variables } from './guard.ts';
import { answerEarly, type LongParts } from './long-operations.ts';
import { problem } from './problem.ts';

const MAX_BODY_BYTES = 1_048_576;

/**
 * Operations that may not run in a daemon: they close or replace the ledger that it works on, run until they are stopped, ask
 * on a terminal, or show secrets.
 */
const NEVER_OVER_HTTP: ReadonlySet<OperationName> = new Set([
  'init',
  'close',
  'release',
  'chat.host',
  'graphs.schedules.loop',
  'maintenance.loop',
  'replication.follow',
  'serving.overStreams',
  'serving.overHttp',
  'ledger.repair',
  'ledger.copy',
  'ledger.rebuild',
  'backup.restore',
  'vault.reveal',
  'vault.unlock',
]);

export interface OperationParts extends LongParts {
  readonly routes: readonly HttpRoute[];
  readonly inputOf: (route: HttpRoute, request: HttpRequest) => Promise<readonly unknown[]>;
}

export function operationRoutes(parts: OperationParts): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (c) =>
      problem(
        c,
        new OkaError('http.too_large', 'The body is larger than 1 MB. Send less, or use the command line.'),
      ),
  });
  for (const route of parts.routes) {
    if (NEVER_OVER_HTTP.has(route.operation))
      throw new Error(`${route.operation} may not be a route: it cannot run in a daemon`);
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    // Looking whether there is a body takes a third of a request without one.
    if (hasBody(route)) app.on(route.method, path, limit);
    app.on(route.method, path, async (c) => {
      const warnings: Warning[] = [];
      const response = await answer(c, route, parts, (warning) => warnings.push(warning)).catch(
        (error: unknown) => problem(c, error),
      );
      if (warnings.length > 0) response.headers.set('oka-warnings', inHeader(warnings));
      return response;
    });
  }
  return app;
}

async function answer(
  c: Context<{ Variables: Variables }>,
  route: HttpRoute,
  parts: OperationParts,
  warn: (warning: Warning) => void,
): Promise<Response> {
  if (route.access === 'browser' && c.get('caller') !== 'browser')
    throw new OkaError(
      'http.browser_only',
      `${route.operation} needs the session of a browser, because it acts as you. Use the app (oka web) or the command line.`,
      { data: { operation: route.operation } },
    );
  const input = await parts.inputOf(route, {
    params: c.req.param(),
    query: c.req.queries(),
    key: c.req.header('idempotency-key'),
    ...(hasBody(route) ? { body: await bodyOf(c) } : {}),
  });
  c.header('cache-control', 'no-store');
  if (route.background) {
    const early = await answerEarly(parts, route.operation, input, warn);
    return c.json(early.answer as object, early.isDone ? 200 : 202);
  }
  const result = await parts.calls.run(route.operation, input, warn);
  if (route.file !== undefined) return sendFile(c, route.file, result as { name: string; html: string });
  return result === undefined ? c.body(null, 204) : c.json(result as object);
}

/** As JSON in ASCII, because answers have no place for it: many are lists, and some are files or empty. */
function inHeader(warnings: readonly Warning[]): string {
  const told = warnings.map(({ code, message }) => ({ code, message }));
  return JSON.stringify(told).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function hasBody({ method }: HttpRoute): boolean {
  return method === 'POST' || method === 'PUT';
}

/** Names of files are made of ids, so they need no encoding. */
function sendFile(c: Context, type: string, { name, html }: { name: string; html: string }): Response {
  return c.body(html, 200, {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
  });
}

/** The JSON of the body; an empty body is an empty object. A form of another page cannot send this content type. */
async function bodyOf(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text === '') return {};
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new OkaError('http.not_json', 'Send JSON, with the content type application/json.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new OkaError('http.bad_request', `The body is not JSON: ${(cause as Error).message}.`, { cause });
  }
  if (isTooDeep(value))
    throw new OkaError('http.bad_request', 'The body is nested deeper than 1,000 levels. Send fewer levels.');
  return value;
}
