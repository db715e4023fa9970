import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { McpConnection, ServerSource } from './offer-server.ts';
import type { OfferChange } from './ports.ts';

/** The session that was used longest ago makes room for a new one. */
const MOST_SESSIONS = 64;
const NOT_FOUND = -32_001;
const BAD_REQUEST = -32_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly connection: McpConnection;
}

export interface SessionOptions {
  /** Unpredictable, and never the same twice. */
  readonly newId: () => string;
  readonly largestBodyBytes: number;
}

/** The clients that begin with a handshake: each has a server of its own, which it comes back to by its session's id. */
export class HttpSessions {
  readonly #source: ServerSource;
  readonly #options: SessionOptions;
  /** In the order of their last use. */
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
      return refuse(404, NOT_FOUND, 'This session is over or never was; begin a new one with initialize.');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request);
  }

  async tell(change: OfferChange): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ connection }) => connection.tell(change)));
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ connection }) => connection.server.close()));
  }

  async #begin(request: Request): Promise<Response> {
    const body: unknown = request.method === 'POST' ? await bodyOf(request) : undefined;
    if (!isInitializeRequest(body))
      return refuse(400, BAD_REQUEST, 'Begin with initialize, then name the session in Mcp-Session-Id.');
    const connection = this.#source.open('legacy');
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: this.#options.newId,
      maxRequestBodySize: this.#options.largestBodyBytes,
      onsessioninitialized: (id) => this.#keep(id, { transport, connection }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await connection.server.connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async #keep(id: string, session: Session): Promise<void> {
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size <= MOST_SESSIONS || oldest === undefined) return;
    this.#sessions.delete(oldest[0]);
    await oldest[1].connection.server.close();
  }
}

/** Undefined when it is no JSON; the request is then refused as one that does not begin a session. */
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
