// Owns: speaking with the daemon of a workspace over its socket. Does not own: what the calls mean.
import { existsSync, lstatSync, type Stats } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { join } from 'node:path';
import { type CallLine, type DaemonLink, type DaemonStatus, OkaError } from '../api/index.ts';
import { daemonSocket } from '../config/index.ts';

declare const __OKA_BUILD__: string;

/** A daemon that answered. */
export interface FoundDaemon {
  readonly status: DaemonStatus;
  readonly link: DaemonLink;
}

/** Where a daemon, or the host of an agent, may be. */
export interface DaemonPlace {
  readonly workspace: string;
  readonly home: string;
  readonly agent?: string;
}

/** A daemon says at once how it is; one that takes longer hangs, and nobody should wait for it. */
const LONGEST_SILENCE_MS = 5_000;

/** Whether a daemon has said in its workspace that it is there; it may have died since, but without that none is asked. */
export function isAnnounced({ workspace }: DaemonPlace): boolean {
  return existsSync(join(workspace, '.oka', 'run', 'daemon.json'));
}

/** The daemon of a workspace or the host of an agent, if one runs and answers; its version may be another. */
export async function findDaemon(place: DaemonPlace): Promise<FoundDaemon | undefined> {
  const found = await lookForDaemon(place);
  return found === 'silent' ? undefined : found;
}

/** The same, but tells a daemon that is there and does not answer from none. */
export async function lookForDaemon(
  place: DaemonPlace,
  patienceMs = LONGEST_SILENCE_MS,
): Promise<FoundDaemon | 'silent' | undefined> {
  const { path } = daemonSocket(place);
  if (!isOwnSocket(path)) return undefined;
  const link = new SocketLink(path);
  const status = await link.status(patienceMs);
  return typeof status === 'object' ? { status, link } : status;
}

/** Whether the daemon is of the same build as this program: another may speak otherwise, and cannot load its own parts. */
export function isOfThisBuild({ build }: DaemonStatus): boolean {
  return build === __OKA_BUILD__;
}

/** Whether there is a socket that nobody else can have put there. */
function isOwnSocket(path: string): boolean {
  const found = lookAt(path);
  return found?.isSocket() === true && (process.getuid === undefined || found.uid === process.getuid());
}

/** Undefined where nothing stands, also because what should be a folder is none. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

class SocketLink implements DaemonLink {
  readonly #socketPath: string;
  readonly #leaving = new AbortController();

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Undefined when nobody listens. */
  async status(patienceMs: number): Promise<DaemonStatus | 'silent' | undefined> {
    const patience = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([this.#leaving.signal, patience]);
    try {
      return JSON.parse(await wholeBody(await this.#send({ path: '/v1/status', signal }))) as DaemonStatus;
    } catch {
      return patience.aborted ? 'silent' : undefined;
    }
  }

  async *call(operation: string, body: unknown, abort: AbortSignal): AsyncGenerator<CallLine> {
    // A pid is given again while a call that was left goes on; the moment is not.
    const id = `${process.pid}-${process.hrtime.bigint()}`;
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
          // A daemon that stops takes no new connection, and one that is left over must not pass for it.
          agent: false,
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
  const { createInterface } = await import('node:readline');
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
