import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is rejected. */
export interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 415;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GuardOptions {
  readonly path: string;
  readonly port: number;
  readonly token: string;
}

const METHODS = ['GET', 'POST', 'DELETE'];

/**
 * Accepts only requests of local programs with the token: no web page can reach the server, not even by DNS rebinding. Checks
 * only the request head.
 */
export function requestGuard({
  path,
  port,
  token,
}: GuardOptions): (request: IncomingMessage) => Refusal | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const origins = hosts.map((host) => `http://${host}`);
  const expected = digest(`Bearer ${token}`);
  return ({ headers, url, method }) => {
    const site = headers['sec-fetch-site'];
    if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
      return { status: 403, message: `Invalid Host header. Use ${hosts[0]}.` };
    if (headers.origin !== undefined && !origins.includes(headers.origin))
      return { status: 403, message: 'Requests from other origins are not allowed.' };
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return { status: 403, message: 'Requests from other sites are not allowed.' };
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) {
      return {
        status: 401,
        message: 'Send the token that the server printed, as "Authorization: Bearer <token>".',
        headers: { 'www-authenticate': 'Bearer' },
      };
    }
    if (pathOf(url) !== path) return { status: 404, message: `Not found. The server is at ${path}.` };
    if (!METHODS.includes(method ?? ''))
      return { status: 405, message: 'Send messages with POST.', headers: { allow: METHODS.join(', ') } };
    if (method === 'POST' && !isJson(headers['content-type']))
      return { status: 415, message: 'Send JSON, with the content type application/json.' };
    return undefined;
  };
}

/** Digests have equal length, as a constant-time comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function pathOf(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function isJson(contentType = ''): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
