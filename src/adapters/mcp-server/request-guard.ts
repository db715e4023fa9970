import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is not let in. */
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
 * Lets in only requests that a program with the token made on this machine: a page in a browser must not reach the
 * server, also not under a name that was made to lead here. Looks at the head of a request alone.
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
      return { status: 403, message: `This server is known as ${hosts[0]} only.` };
    if (headers.origin !== undefined && !origins.includes(headers.origin))
      return { status: 403, message: 'Pages of other origins may not speak with this server.' };
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return { status: 403, message: 'Pages of other sites may not speak with this server.' };
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) {
      return {
        status: 401,
        message: 'Give the token that the server has printed, as in "Authorization: Bearer <token>".',
        headers: { 'www-authenticate': 'Bearer' },
      };
    }
    if (pathOf(url) !== path)
      return { status: 404, message: `There is nothing here; the server is at ${path}.` };
    if (!METHODS.includes(method ?? ''))
      return { status: 405, message: 'Send messages with POST.', headers: { allow: METHODS.join(', ') } };
    if (method === 'POST' && !isJson(headers['content-type']))
      return { status: 415, message: 'Send JSON, with the content type application/json.' };
    return undefined;
  };
}

/** Digests are of one length, so that comparing them tells nothing of either. */
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
