// Owns: listening for Restate, and taking no new work when the worker stops.
// I1 A request without the key of the workers gets no answer but 401, whatever it asks for: Restate sends the key with each one.
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@restatedev/restate-sdk';
import { OkaError } from '../../kernel/index.ts';
import { driveObject, quotaObject } from './drive-object.ts';
import type { Served } from './handlers.ts';
import type { ClusterErrorCode } from './ports.ts';
import { mailboxObject, projectObject, schedulesObject, workersObject } from './project-objects.ts';
import { isSame, WORKER_KEY } from './proofs.ts';

/**
 * Handlers at once on one connection. Restate opens another connection for more, which reaches another worker where several
 * share an address.
 */
const MAX_STREAMS = 16;

interface WorkerServerOptions extends Served {
  /** See `workerKey`. */
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly onWarning: (what: string) => void;
}

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Passes requests with the key on, and refuses all others. */
function requireKey(key: string, handle: Handler): Handler {
  if (key === '') throw new TypeError('A worker does not listen without a key.');
  return (request, response) => {
    const { [WORKER_KEY]: given } = request.headers;
    if (isSame(key, typeof given === 'string' ? given : undefined)) return handle(request, response);
    response.writeHead(401).end();
  };
}

export class WorkerServer {
  readonly url: string;
  readonly #server: Http2Server;
  readonly #sessions: ReadonlySet<ServerHttp2Session>;

  private constructor(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>, url: string) {
    this.#server = server;
    this.#sessions = sessions;
    this.url = url;
  }

  static async listen(options: WorkerServerOptions): Promise<WorkerServer> {
    const { host, port, key } = options;
    const served = endpoint();
    const objects = [driveObject, quotaObject, schedulesObject, mailboxObject, projectObject, workersObject];
    for (const object of objects) served.bind(object(options));
    served.setLogger(({ level }, ...message) => {
      if (level === 'error') options.onWarning(message.map(String).join(' '));
    });
    const server = createServer(
      { settings: { maxConcurrentStreams: MAX_STREAMS } },
      requireKey(key, served.http2Handler()),
    );
    const sessions = new Set<ServerHttp2Session>();
    server.on('session', (session) => {
      sessions.add(session);
      session.on('close', () => sessions.delete(session));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause)));
      server.listen(port, host, resolve);
    });
    const { port: chosen } = server.address() as AddressInfo;
    return new WorkerServer(server, sessions, `http://${host}:${chosen}`);
  }

  /** Sends no more work here. Resolves when the handlers have ended, or after the time. */
  async drain(withinMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
    }, withinMs);
    await closed;
    clearTimeout(timer);
  }
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): OkaError<ClusterErrorCode> {
  const message = `Cannot listen on ${host}:${port}: ${cause.message}. Choose another port: oka worker --port 0.`;
  return new OkaError('cluster.invalid', message, { data: { host, port, why: cause.code ?? '' }, cause });
}
