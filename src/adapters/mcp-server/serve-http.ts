import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type NodeIncomingMessageLike,
  type NodeServerResponseLike,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { OkaError } from '../../kernel/index.ts';
import { HttpSessions } from './http-sessions.ts';
import type { ServerSource } from './offer-server.ts';
import type { OfferChange } from './ports.ts';

const PATH = '/mcp';
const LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 4 * 1_048_576;
const MAX_CONNECTIONS = 256;
/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
const REFUSED = -32_000;

export type McpServerErrorCode = 'serving.cannot_listen';

export interface HttpOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** The token that every request must send. */
  readonly token: string;
  readonly newSessionId: () => string;
  readonly onWarning: (what: string) => void;
}

export interface HttpService {
  readonly url: string;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Serves any number of clients over streamable HTTP, on this machine only. */
export async function serveHttp(source: ServerSource, options: HttpOptions): Promise<HttpService> {
  const onerror = (error: Error): void => options.onWarning(error.message);
  const modern = createMcpHandler(() => source.open('modern').server, {
    legacy: 'reject',
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror,
  });
  const sessions = new HttpSessions(source, {
    newId: options.newSessionId,
    maxBodyBytes: MAX_BODY_BYTES,
  });
  const handle = toNodeHandler(
    {
      fetch: async (request) => {
        const legacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES });
        return legacy ? sessions.fetch(request) : modern.fetch(request);
      },
    },
    { maxRequestBodySize: MAX_BODY_BYTES, onerror },
  );
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  const guard = requestGuard({ path: PATH, port, token: options.token });
  server.on('request', (request, response) => {
    const refusal = guard(request);
    if (refusal) refuse(response, refusal);
    else void handle(request as NodeIncomingMessageLike, withEarlyHeaders(response));
  });
  const stop = source.onChange((change) => {
    publish(modern.notify, change);
    void sessions.notify(change);
  });
  return {
    url: `http://${LOOPBACK}:${port}${PATH}`,
    close: async () => {
      stop();
      await Promise.all([modern.close(), sessions.close()]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function listen(server: HttpServer, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, LOOPBACK, resolve);
    });
  } catch (cause) {
    const why =
      (cause as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'another program uses it' : String(cause);
    throw new OkaError<McpServerErrorCode>(
      'serving.cannot_listen',
      `Cannot listen on port ${port} of ${LOOPBACK}: ${why}. Choose another with --port, or omit it.`,
      { data: { port }, cause },
    );
  }
  return (server.address() as AddressInfo).port;
}

/** Sends the headers of an event stream before its first message, so that the client knows it is connected. */
function withEarlyHeaders(response: ServerResponse): NodeServerResponseLike {
  return {
    writeHead: (status, headers) => {
      response.writeHead(status, headers);
      if (headers?.['content-type']?.startsWith('text/event-stream')) response.flushHeaders();
    },
    write: (chunk) => response.write(chunk),
    end: (chunk) => response.end(chunk),
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}

/** Responds without reading the body. */
function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: REFUSED, message }, id: null });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...headers,
  });
  response.end(body);
}

function publish(notify: ReturnType<typeof createMcpHandler>['notify'], change: OfferChange): void {
  if (change.what === 'resource') notify.resourceUpdated(change.uri);
  else notify[`${change.what}Changed`]();
}

/** Why a request is rejected. */
interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 415;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface GuardOptions {
  readonly path: string;
  readonly port: number;
  readonly token: string;
}

const METHODS = ['GET', 'POST', 'DELETE'];

/**
 * Accepts only requests of local programs with the token: no web page can reach the server, not even by DNS rebinding. Checks
 * only the request head.
 */
function requestGuard({
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
