// Owns: listening for Restate, and taking no new work when the worker stops.
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@restatedev/restate-sdk';
import { OkaError } from '../../kernel/index.ts';
import { driveObject, quotaObject } from './drive-object.ts';
import type { Projects } from './handlers.ts';
import type { ClusterErrorCode } from './ports.ts';
import { mailboxObject, projectObject, schedulesObject, workersObject } from './project-objects.ts';

/**
 * Handlers at once on one connection. Restate opens another connection for more, which reaches another worker where several
 * share an address.
 */
const MAX_STREAMS = 16;

export class WorkerServer {
  readonly url: string;
  readonly #server: Http2Server;
  readonly #sessions: ReadonlySet<ServerHttp2Session>;

  private constructor(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>, url: string) {
    this.#server = server;
    this.#sessions = sessions;
    this.url = url;
  }

  static async listen(options: {
    readonly projects: Projects;
    readonly host: string;
    readonly port: number;
    readonly onWarning: (what: string) => void;
  }): Promise<WorkerServer> {
    const { projects, host, port } = options;
    const served = endpoint()
      .bind(driveObject(projects))
      .bind(quotaObject())
      .bind(schedulesObject(projects))
      .bind(mailboxObject(projects))
      .bind(projectObject(projects))
      .bind(workersObject(projects));
    served.setLogger(({ level }, ...message) => {
      if (level === 'error') options.onWarning(message.map(String).join(' '));
    });
    const server = createServer({ settings: { maxConcurrentStreams: MAX_STREAMS } }, served.http2Handler());
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
