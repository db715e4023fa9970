// Owns: speaking with the daemon of a workspace over its socket. Does not own: what the calls mean.
import { lstatSync } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { createInterface } from 'node:readline';
import { type CallLine, type DaemonLink, type DaemonStatus, OkaError } from '../api/index.ts';
import { daemonSocket } from '../config/index.ts';

declare const __OKA_VERSION__: string;

/** A daemon that answered. */
export interface FoundDaemon {
  readonly status: DaemonStatus;
  readonly link: DaemonLink;
}

/** The daemon of a workspace or the host of an agent, if one runs; one of another version is none that could be spoken with. */
export async function findDaemon(place: {
  readonly workspace: string;
  readonly home: string;
  readonly agent?: string;
}): Promise<FoundDaemon | undefined> {
  const { path } = daemonSocket(place);
  if (!isOwnSocket(path)) return undefined;
  const link = new SocketLink(path);
  const status = await link.status();
  return status === undefined ? undefined : { status, link };
}

/** Whether the daemon speaks as this program does. */
export function isOfThisVersion({ version }: DaemonStatus): boolean {
  return version === __OKA_VERSION__;
}

/** Whether there is a socket that nobody else can have put there. */
function isOwnSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && (process.getuid === undefined || found.uid === process.getuid());
}

class SocketLink implements DaemonLink {
  readonly #socketPath: string;
  readonly #leaving = new AbortController();
  #calls = 0;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Undefined when nobody listens. */
  async status(): Promise<DaemonStatus | undefined> {
    try {
      return JSON.parse(await wholeBody(await this.#send({ path: '/v1/status' }))) as DaemonStatus;
    } catch {
      return undefined;
    }
  }

  async *call(operation: string, body: unknown, abort: AbortSignal): AsyncGenerator<CallLine> {
    this.#calls += 1;
    const id = `${process.pid}-${this.#calls}`;
    const letGo = (): void => {
      void this.#send({ path: `/v1/calls/${id}`, method: 'DELETE' }).then(wholeBody, () => undefined);
    };
    const path = `/v1/calls/${id}/${operation}`;
    const response = await this.#send({ path, method: 'POST' }, JSON.stringify(body)).catch(unreachable);
    abort.addEventListener('abort', letGo);
    if (abort.aborted) letGo();
    try {
      if (response.statusCode !== 200)
        throw refused(operation, response.statusCode, await wholeBody(response));
      yield* linesOf(response);
    } finally {
      abort.removeEventListener('abort', letGo);
      response.destroy();
    }
  }

  close(): void {
    this.#leaving.abort();
  }

  async #send(options: RequestOptions, body?: string): Promise<IncomingMessage> {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          socketPath: this.#socketPath,
          signal: this.#leaving.signal,
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
          ...options,
        },
        resolve,
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<CallLine> {
  try {
    for await (const line of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line) as CallLine;
  } catch (error) {
    unreachable(error as Error);
  }
}

async function wholeBody(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function refused(operation: string, status: number | undefined, text: string): OkaError {
  return new OkaError('daemon.bad_call', `the daemon refused ${operation} (${status}): ${text}`, {
    data: { operation },
  });
}

function unreachable(error: Error): never {
  throw new OkaError(
    'daemon.unreachable',
    `the daemon does not answer: ${error.message}. See: oka status; restart it with: oka down, then oka up.`,
    { cause: error },
  );
}
