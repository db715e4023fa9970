import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { McpConnection, ServerSource } from './offer-server.ts';
import type { OfferChange } from './ports.ts';

/** The least recently used session is closed for a new one. */
const MAX_SESSIONS = 64;
const NOT_FOUND = -32_001;
const BAD_REQUEST = -32_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly connection: McpConnection;
}

export interface SessionOptions {
  /** Unpredictable and unique. */
  readonly newId: () => string;
  readonly maxBodyBytes: number;
}

/** Clients that start with a handshake: each has its own server, identified by its session id. */
export class HttpSessions {
  readonly #source: ServerSource;
  readonly #options: SessionOptions;
  /** In order of last use. */
  readonly #sessions = new Map<string, Session>();

  constructor(source: ServerSource, options: SessionOptions) {
    this.#source = source;
    this.#options = options;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request);
    const session = this.#sessions.get(id);
    if (session === undefined)
      return refuse(404, NOT_FOUND, 'Unknown or expired session. Start a new one with initialize.');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request);
  }

  async notify(change: OfferChange): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ connection }) => connection.notify(change)));
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ connection }) => connection.server.close()));
  }

  async #begin(request: Request): Promise<Response> {
    const body: unknown = request.method === 'POST' ? await bodyOf(request) : undefined;
    if (!isInitializeRequest(body))
      return refuse(400, BAD_REQUEST, 'Start with initialize, then send the session id in Mcp-Session-Id.');
    const connection = this.#source.open('legacy');
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: this.#options.newId,
      maxRequestBodySize: this.#options.maxBodyBytes,
      onsessioninitialized: (id) => this.#keep(id, { transport, connection }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await connection.server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async #keep(id: string, session: Session): Promise<void> {
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= MAX_SESSIONS || oldest === undefined) return;
    this.#sessions.delete(oldest[0]);
    await oldest[1].connection.server.close();
  }
}

/** Undefined for invalid JSON; the request is then rejected because it does not start a session. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
