// Owns: the routes of the web server, in order: guards, the one-time link, the API behind a session or the token, the app.
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { type DaemonStatus, OkaError } from '../../api/index.ts';
import type { LedgerFeed } from '../../runtime/index.ts';
import type { EventHub, Feed } from './event-hub.ts';
import { eventRoutes } from './event-routes.ts';
import { cookieName, guardRequests, requireCaller, type Variables } from './guard.ts';
import { type OperationParts, operationRoutes } from './operation-routes.ts';
import { problem } from './problem.ts';
import { SESSION_LIFETIME_MS, type Sessions } from './sessions.ts';
import { staticFiles } from './static-files.ts';

/** What the app shows about the workspace before anything else. */
interface SessionView {
  /** The name of the workspace's folder. */
  readonly workspace: string;
  readonly folder: string;
  readonly version: string;
}

export interface WebAppParts extends OperationParts {
  readonly port: () => number;
  readonly sessions: Sessions;
  readonly hub: EventHub;
  readonly feed: Feed & Pick<LedgerFeed, 'treeOf'>;
  readonly session: SessionView;
  readonly status: () => DaemonStatus;
  readonly openApi: () => Promise<object>;
  /** The metrics as Prometheus text, if they are served, and who may read them. */
  readonly metrics?: { readonly access: 'token' | 'open'; readonly read: () => Promise<string> };
  /** The folder of the built app. */
  readonly folder?: string;
}

export function webApp(parts: WebAppParts): Hono<{ Bindings: HttpBindings; Variables: Variables }> {
  const { port, sessions, hub, feed } = parts;
  const app = new Hono<{ Bindings: HttpBindings; Variables: Variables }>();
  app.use(guardRequests(port));
  app.get('/open', (c) => openLink(c, parts));
  if (parts.metrics !== undefined) serveMetrics(app, parts.metrics, requireCaller(sessions, port));
  app.use('/v1/*', requireCaller(sessions, port), noHead);
  app.get('/v1/session', (c) => c.json(parts.session, 200, { 'cache-control': 'no-store' }));
  app.get('/v1/status', (c) => c.json(parts.status(), 200, { 'cache-control': 'no-store' }));
  app.get('/v1/openapi.json', async (c) => c.json(await parts.openApi()));
  app.route('/', eventRoutes(feed, hub));
  app.route('/', operationRoutes(parts));
  app.all('/v1/*', (c) =>
    problem(
      c,
      new OkaError(
        'http.not_found',
        `There is no route ${c.req.method} ${c.req.path}. See: GET /v1/openapi.json`,
      ),
    ),
  );
  app.all('*', staticFiles(parts.folder));
  app.onError((error, c) => problem(c, error));
  return app;
}

function serveMetrics(
  app: Hono<{ Bindings: HttpBindings; Variables: Variables }>,
  { access, read }: NonNullable<WebAppParts['metrics']>,
  requiresCaller: MiddlewareHandler,
): void {
  if (access === 'token') app.use('/metrics', requiresCaller);
  app.use('/metrics', noHead);
  app.get('/metrics', async (c) =>
    c.text(await read(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    }),
  );
}

/** A HEAD request would do the work of the route and throw its answer away. */
const noHead: MiddlewareHandler = async (c, next) =>
  c.req.method === 'HEAD' ? problem(c, headRefused()) : next();

function headRefused(): OkaError {
  return new OkaError('http.method_not_allowed', 'The method HEAD is not supported here. Use GET.', {
    data: { allow: 'GET, POST, PUT, DELETE' },
  });
}

/** Exchanges the code of a one-time link for a cookie and shows the page. */
function openLink(c: Context, { sessions, port }: WebAppParts): Response {
  c.header('cache-control', 'no-store');
  if (c.req.method === 'HEAD') return problem(c, headRefused());
  const name = cookieName(port());
  const page = ownPage(c.req.query('to'), port());
  const current = getCookie(c, name);
  try {
    const secret = sessions.open(c.req.query('code') ?? '');
    const maxAge = SESSION_LIFETIME_MS / 1_000;
    setCookie(c, name, secret, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge });
  } catch (error) {
    // The link was used before by this browser.
    if (current === undefined || !sessions.isSession(current)) return linkProblem(c, error as Error);
  }
  return c.redirect(page, 303);
}

/** The path of a page of the app; `/` for everything else, so that a link cannot lead to another site. */
export function ownPage(to: string | undefined, port: number): string {
  const origin = `http://127.0.0.1:${port}`;
  if (to === undefined || !to.startsWith('/') || !URL.canParse(to, origin)) return '/';
  const url = new URL(to, origin);
  // "/\\host" and "//host" are other sites.
  return url.origin === origin && !url.pathname.startsWith('//')
    ? `${url.pathname}${url.search}${url.hash}`
    : '/';
}

function linkProblem(c: Context, { message }: Error): Response {
  return c.html(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Oka</title><p>${message}</p></html>\n`,
    401,
  );
}
