// Owns: which requests reach the web server at all, and the headers of every response. Does not own: the routes.
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { OkaError } from '../../kernel/index.ts';
import { problem } from './problem.ts';
import type { Caller, Sessions } from './sessions.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const READING = ['GET', 'HEAD'];

/** The headers of every response: nothing is loaded from elsewhere, and no other page may frame or read it. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The variables of a request. */
export interface Variables {
  readonly caller: Caller;
}

export function cookieName(port: number): string {
  return `oka_session_${port}`;
}

/** Refuses requests of other sites, and of pages whose name was made to point here. Adds the headers to every response. */
export function guardRequests(port: () => number): MiddlewareHandler {
  return async (c, next) => {
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) c.header(name, value);
    const refusal = refusalOf(c, port());
    if (refusal !== undefined) return problem(c, refusal);
    return next();
  };
}

function refusalOf(c: Context, port: number): OkaError | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const host = c.req.header('host')?.toLowerCase() ?? '';
  if (!hosts.includes(host)) return forbidden(`The Host header must be ${hosts[0]} or ${hosts[1]}.`);
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== `http://${host}`)
    return forbidden('Requests of other sites are not allowed.');
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return forbidden(
      'Requests of other sites are not allowed. Type the address into the browser, or run: oka web',
    );
  if (METHODS.includes(c.req.method)) return undefined;
  return new OkaError('http.method_not_allowed', `The method ${c.req.method} is not supported.`, {
    data: { allow: METHODS.join(', ') },
  });
}

/** Requires the token or the session of a browser. */
export function requireCaller(sessions: Sessions, port: () => number): MiddlewareHandler {
  return async (c, next) => {
    const given = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const secret = getCookie(c, cookieName(port()));
    if (given !== undefined) {
      if (!sessions.isToken(given)) return problem(c, unauthorized('The token is not valid.'));
      c.set('caller', 'token' satisfies Caller);
      return next();
    }
    if (secret === undefined || !sessions.isSession(secret))
      return problem(c, unauthorized('This needs a session or the token.'));
    if (!READING.includes(c.req.method) && !isOwnPage(c))
      return problem(c, forbidden('A change needs an Origin header of this address.'));
    c.set('caller', 'browser' satisfies Caller);
    return next();
  };
}

/** `guardRequests` has compared the values; here one of them must be there. */
function isOwnPage(c: Context): boolean {
  return c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') === 'same-origin';
}

function forbidden(message: string): OkaError {
  return new OkaError('http.forbidden', message);
}

function unauthorized(message: string): OkaError {
  return new OkaError('http.unauthorized', `${message} Open the app with: oka web`);
}
