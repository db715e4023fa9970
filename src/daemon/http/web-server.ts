// Owns: the web server of a daemon: its address and port, its limits, its end. Does not own: the routes.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Clock, OkaError, type Random } from '../../kernel/index.ts';
import { EventHub } from './event-hub.ts';
import { Sessions } from './sessions.ts';
import { ownPage, type WebAppParts, webApp } from './web-app.ts';
import { WebState } from './web-state.ts';

const LOOPBACK = '127.0.0.1';
const MAX_CONNECTIONS = 1_024;

export interface WebServerOptions
  extends Omit<WebAppParts, 'port' | 'sessions' | 'hub'>,
    Partial<ConnectionLimits> {
  readonly clock: Clock;
  readonly random: Random;
  /** Keeps port, token and sessions over restarts. */
  readonly stateFile: string;
  /** The address to listen on. Default: 127.0.0.1. */
  readonly address?: string;
  /** The only port to use. */
  readonly fixedPort?: number;
}

/** How long a client may take. */
interface ConnectionLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const LIMITS: ConnectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};

export class WebServer {
  readonly #server: Server;
  readonly #hub: EventHub;
  readonly #sessions: Sessions;
  readonly port: number;
  #closed: Promise<unknown> = Promise.resolve();

  private constructor(server: Server, hub: EventHub, sessions: Sessions, port: number) {
    this.#server = server;
    this.#hub = hub;
    this.#sessions = sessions;
    this.port = port;
  }

  static async open(options: WebServerOptions): Promise<WebServer> {
    const { clock, random, feed, onWarning, address = LOOPBACK, fixedPort } = options;
    const state = WebState.load(options.stateFile, random);
    const hub = new EventHub({ feed, clock, onWarning });
    const sessions = new Sessions({ state, clock, random });
    const app = webApp({ ...options, sessions, hub, port: () => state.port });
    const { headersTimeout, requestTimeout, connectionsCheckingInterval } = { ...LIMITS, ...options };
    const server = createAdaptorServer({
      fetch: app.fetch,
      serverOptions: { headersTimeout, requestTimeout, connectionsCheckingInterval },
    }) as Server;
    server.maxConnections = MAX_CONNECTIONS;
    const port =
      fixedPort === undefined
        ? await listenAgain(server, address, state.port)
        : await listen(server, address, fixedPort);
    state.listenOn(port);
    return new WebServer(server, hub, sessions, port);
  }

  get url(): string {
    return `http://${LOOPBACK}:${this.port}`;
  }

  /** How many event streams are open. */
  get streams(): number {
    return this.#hub.count;
  }

  /** A link that opens a page once. */
  newLink(to?: string): { readonly url: string; readonly expiresAt: number } {
    const { code, expiresAt } = this.#sessions.newLink();
    const page = ownPage(to, this.port);
    const target = page === '/' ? '' : `&to=${encodeURIComponent(page)}`;
    return { url: `${this.url}/open?code=${code}${target}`, expiresAt };
  }

  /** Stops accepting connections. */
  close(): void {
    this.#closed = new Promise((resolve) => this.#server.close(resolve));
  }

  /** Ends the event streams and closes all connections. Call it when no call is open. */
  async drain(): Promise<void> {
    await this.#hub.stop();
    this.#server.closeIdleConnections();
    // A client that does not read must not keep the daemon.
    setImmediate(() => this.#server.closeAllConnections());
    await this.#closed;
  }
}

/** Listens on the port of the last time, so that open pages reconnect, or on a free one. */
async function listenAgain(server: Server, address: string, lastPort: number): Promise<number> {
  try {
    return await listen(server, address, lastPort);
  } catch (error) {
    if (lastPort === 0) throw error;
    return listen(server, address, 0);
  }
}

async function listen(server: Server, address: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, address, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    const why =
      (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? 'another program uses it'
        : (cause as Error).message;
    throw new OkaError(
      'http.cannot_listen',
      `The web app cannot use port ${port} of ${address}: ${why}. Choose another: oka config set web.port <port>, then oka down and oka up.`,
      { data: { port }, cause },
    );
  }
  return (server.address() as AddressInfo).port;
}
