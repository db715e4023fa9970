// Owns: listening for Restate, registering at it, and taking no new work when the worker stops.
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@restatedev/restate-sdk';
import { backoffMs, type Clock, OkaError, waitUntil } from '../../kernel/index.ts';
import { driveObject, quotaObject } from './drive-object.ts';
import type { Projects } from './handlers.ts';
import type { ClusterErrorCode } from './ports.ts';
import { mailboxObject, projectObject, schedulesObject } from './project-objects.ts';

/**
 * Handlers at once on one connection. Restate opens another connection for more, which reaches another worker where several
 * share an address.
 */
const MAX_STREAMS = 16;
const PAUSES = { firstMs: 200, longestMs: 2_000 };
const REGISTERS_WITHIN_MS = 60_000;

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
      .bind(projectObject(projects));
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
      server.once('error', (cause) => reject(cannotListen(host, port, cause)));
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

function cannotListen(host: string, port: number, cause: Error): OkaError<ClusterErrorCode> {
  const message = `Cannot listen on ${host}:${port}: ${cause.message}. Choose another port: oka worker --port 0.`;
  return new OkaError('cluster.invalid', message, { data: { host, port }, cause });
}

/** Registers the address of a worker as a deployment. The same address with the same handlers changes nothing. */
export async function registerWorker(
  { admin, address }: { readonly admin: string; readonly address: string },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const giveUpAt = clock.now() + REGISTERS_WITHIN_MS;
  for (let attempt = 1; !signal.aborted; attempt++) {
    const problem = await tryToRegister(admin, address, signal).catch((error: Error) => ({
      text: String(error.cause ?? error.message),
      isFinal: false,
    }));
    if (problem === undefined) return;
    const data = { admin, address };
    if (problem.isFinal) {
      const message = `Restate refused the worker at ${address}: ${problem.text}. A worker of another build needs another address: oka worker --advertise.`;
      throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data });
    }
    if (clock.now() > giveUpAt) {
      const message = `Cannot register at Restate (${admin}): ${problem.text}. Start Restate, or set execution.admin or OKA_RESTATE_ADMIN.`;
      throw new OkaError<ClusterErrorCode>('cluster.unreachable', message, { data, transient: true });
    }
    await waitUntil(clock, clock.now() + backoffMs(attempt, PAUSES), [signal]);
  }
}

async function tryToRegister(
  admin: string,
  uri: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isFinal: boolean } | undefined> {
  const response = await fetch(new URL('/deployments', admin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri, force: false }),
    signal,
  });
  const text = await response.text();
  if (response.ok) return undefined;
  // Conflict: this address has other handlers.
  return { text: `${response.status} ${text}`, isFinal: response.status === 409 };
}
