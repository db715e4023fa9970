import type { Dispatcher, Response } from 'undici';
import { type Clock, isOkaError, OkaError, unlessAborted } from '../../kernel/index.ts';
import {
  type Http,
  type HttpAnswer,
  type HttpRequest,
  isCredentialHeader,
  type RedirectTarget,
  type ToolsErrorCode,
} from '../../tools/index.ts';
import {
  httpError,
  isAllowed,
  parseUrl,
  pinAddress,
  pinnedLookup,
  type ResolveName,
} from './pinned-address.ts';

export interface PinnedHttpOptions {
  readonly clock: Clock;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveName;
  /** Private `host:port` pairs that are allowed; from the user's own configuration only. */
  readonly allowPrivate?: readonly string[];
}

const MAX_REDIRECTS = 5;
const TRANSIENT: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** HTTP to public servers: each hop's name is resolved once, and only the checked address is connected to. */
export class PinnedHttp implements Http {
  readonly #clock: Clock;
  readonly #resolve: ResolveName;
  readonly #allowPrivate: readonly string[];

  constructor({ clock, resolve = systemResolve, allowPrivate = [] }: PinnedHttpOptions) {
    this.#clock = clock;
    this.#resolve = resolve;
    this.#allowPrivate = allowPrivate;
  }

  async fetch(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const url = parseUrl(request.url);
    const { method, body } = request;
    const headers = requestHeaders(request.headers, url);
    const first: Hop = { url, method, headers, ...(body === undefined ? {} : { body }) };
    const late = new AbortController();
    const cancelTimer = this.#clock.callAt(this.#clock.now() + request.timeoutMs, () => late.abort());
    try {
      return await this.#follow(first, request, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.signal.aborted)
        throw httpError(
          'http.timed_out',
          url,
          `${url.host} did not answer within ${request.timeoutMs / 1_000} seconds. Try again later.`,
          { transient: true },
        );
      throw isOkaError(error) ? error : requestFailed(error, url);
    } finally {
      cancelTimer();
    }
  }

  async #follow(first: Hop, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { secretHeaders = [] } = request;
    const redirects: string[] = [];
    for (let hop = first; ; ) {
      this.#rejectSecretInClear(hop, secretHeaders);
      const step = await this.#ask(hop, request, signal);
      if (!('to' in step)) return { ...step, redirects };
      if (redirects.length === MAX_REDIRECTS)
        throw httpError(
          'http.too_many_redirects',
          first.url,
          `${first.url.host} redirects more than ${MAX_REDIRECTS} times. Request the last address directly: ${hop.url.host}.`,
        );
      const next = followRedirect(hop, step.status, parseUrl(step.to, hop.url), secretHeaders);
      await unlessAborted(request.mayFollow(next, hop.url), signal);
      redirects.push(hop.url.href);
      hop = next;
    }
  }

  /** Sends one request to a checked address; returns its answer or its redirect. */
  async #ask(
    hop: Hop,
    { maxBytes }: HttpRequest,
    signal: AbortSignal,
  ): Promise<Omit<HttpAnswer, 'redirects'> | { readonly to: string; readonly status: number }> {
    const addresses = await unlessAborted(pinAddress(hop.url, this.#resolve, this.#allowPrivate), signal);
    // Loaded lazily, because most processes never use HTTP.
    const { Agent, fetch } = await import('./undici-library.ts');
    const agent: Dispatcher = new Agent({ connect: { lookup: pinnedLookup(addresses) }, pipelining: 0 });
    try {
      const { url, method, headers, body = null } = hop;
      const response = await fetch(url, {
        method,
        headers: [...headers],
        body,
        redirect: 'manual',
        dispatcher: agent,
        signal,
      });
      const to = response.headers.get('location');
      if (to !== null && REDIRECTS.has(response.status)) return { to, status: response.status };
      const content = await readCapped(response, maxBytes);
      const shown = [...response.headers].filter(([name]) => name !== 'set-cookie');
      return { url: url.href, status: response.status, headers: Object.fromEntries(shown), ...content };
    } finally {
      await agent.destroy();
    }
  }

  #rejectSecretInClear({ url, headers }: Hop, secretHeaders: readonly string[]): void {
    if (url.protocol === 'https:' || isAllowed(url, this.#allowPrivate)) return;
    if (!secretHeaders.some((name) => headers.has(name))) return;
    throw httpError(
      'http.secret_in_clear',
      url,
      `A secret would be sent to ${url.host} in clear text. Use https.`,
    );
  }
}

function requestFailed(error: unknown, url: URL): Error {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as { code?: string; message?: string };
  return httpError(
    'http.failed',
    url,
    `The request to ${url.host} failed (${code ?? message ?? 'unknown reason'}). Check the address and the network.`,
    { cause: error, transient: TRANSIENT.has(code ?? ''), data: code === undefined ? {} : { system: code } },
  );
}

export async function systemResolve(name: string): ReturnType<ResolveName> {
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(name, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** Reads the decoded body up to a limit, and cuts it while it streams. */
async function readCapped(
  response: Response,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array; readonly truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  let truncated = false;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    chunks.push(bytes.subarray(0, left));
    truncated = bytes.length > left;
    left -= Math.min(left, bytes.length);
    if (truncated) break;
  }
  return { body: Buffer.concat(chunks), truncated };
}

/** Headers that belong to the connection. */
const REFUSED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|via|proxy-.*|accept-encoding|sec-.*)$/i;
const USER_AGENT = 'oka';

/** Builds the headers; rejects those that would change the target or the framing of the message. */
function requestHeaders(given: Readonly<Record<string, string>>, url: URL): Headers {
  const headers = new Headers({ 'user-agent': USER_AGENT, accept: '*/*' });
  for (const [name, value] of Object.entries(given)) {
    if (REFUSED.test(name)) throw refuse(name, url);
    try {
      headers.set(name, value);
    } catch {
      throw refuse(name, url);
    }
  }
  return headers;
}

/** Names the header but not its value, which may be secret. */
function refuse(name: string, url: URL): OkaError<ToolsErrorCode> {
  return new OkaError(
    'http.header_refused',
    `Invalid header ${JSON.stringify(name)} for ${url.host}. Remove it, or correct its characters.`,
    { data: { host: url.host, header: name } },
  );
}

/** The request of one hop. */
interface Hop extends RedirectTarget {
  readonly headers: Headers;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ABOUT_BODY = ['content-type', 'content-encoding', 'content-language', 'content-location'];

/** The next hop, with method and headers changed as browsers do. No secret is sent to another origin. */
function followRedirect(hop: Hop, status: number, url: URL, secretHeaders: readonly string[]): Hop {
  const headers = new Headers(hop.headers);
  if (url.origin !== hop.url.origin)
    for (const name of [...[...headers.keys()].filter(isCredentialHeader), ...secretHeaders])
      headers.delete(name);
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  if (!becomesGet) return { ...hop, url, headers };
  for (const name of ABOUT_BODY) headers.delete(name);
  return { url, method: 'GET', headers };
}
