// Owns: speaking with the daemon of a workspace over its socket. Does not own: what the calls mean.
import { existsSync, lstatSync, type Stats } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { type CallLine, type DaemonLink, type DaemonStatus, OkaError } from '../api/index.ts';
import { daemonSocket } from '../config/index.ts';
import { recordedProcess, recordOf } from './recorded-process.ts';

declare const __OKA_BUILD__: string;

/** A daemon that answered. */
export interface FoundDaemon {
  readonly status: DaemonStatus;
  readonly link: DaemonLink;
}

/** A daemon whose socket is there and that does not answer. */
export interface SilentDaemon {
  readonly silent: 'stopped' | 'unresponsive';
  /** Its process; missing where the record in the workspace names none that exists. */
  readonly pid?: number;
  readonly record: string;
}

/** Where a daemon, or the host of an agent, may be. */
export interface DaemonPlace {
  readonly workspace: string;
  readonly home: string;
  readonly agent?: string;
}

/** A daemon says at once how it is; one that takes longer hangs, and nobody should wait for it. */
const LONGEST_SILENCE_MS = 5_000;
/** After this long without an answer it is asked whether the process is suspended; then nobody waits any longer. */
const LOOK_AT_PROCESS_MS = 500;

/** Whether a daemon has said in its workspace that it is there; it may have died since, but without that none is asked. */
export function isAnnounced({ workspace }: DaemonPlace): boolean {
  return existsSync(recordOf(workspace));
}

/** The daemon of a workspace or the host of an agent, if one runs and answers; its version may be another. */
export async function findDaemon(place: DaemonPlace): Promise<FoundDaemon | undefined> {
  const found = await lookForDaemon(place);
  return isSilent(found) ? undefined : found;
}

/** Whether a daemon is there and does not answer. */
export function isSilent(found: FoundDaemon | SilentDaemon | undefined): found is SilentDaemon {
  return found !== undefined && 'silent' in found;
}

/** The same, but tells a daemon that is there and does not answer from none. */
export async function lookForDaemon(
  place: DaemonPlace,
  patienceMs = LONGEST_SILENCE_MS,
): Promise<FoundDaemon | SilentDaemon | undefined> {
  const { path } = daemonSocket(place);
  if (!isOwnSocket(path)) return undefined;
  const link = new SocketLink(path);
  const record = recordOf(place.workspace, place.agent);
  const status = await link.status(patienceMs, () => recordedProcess(record)?.stopped === true);
  if (status !== 'silent') return status && { status, link };
  const found = recordedProcess(record);
  if (found === undefined) return { silent: 'unresponsive', record };
  return { silent: found.stopped ? 'stopped' : 'unresponsive', pid: found.pid, record };
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

  /** Undefined when nobody listens. Gives up early when the process is stopped. */
  async status(patienceMs: number, isStopped: () => boolean): Promise<DaemonStatus | 'silent' | undefined> {
    const patience = AbortSignal.timeout(patienceMs);
    const stopped = new AbortController();
    const looking = setInterval(() => isStopped() && stopped.abort(), LOOK_AT_PROCESS_MS);
    const signal = AbortSignal.any([this.#leaving.signal, patience, stopped.signal]);
    try {
      return JSON.parse(await wholeBody(await this.#send({ path: '/v1/status', signal }))) as DaemonStatus;
    } catch (error) {
      // So many wait for an answer that no more are taken in.
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      return patience.aborted || stopped.signal.aborted || isFull ? 'silent' : undefined;
    } finally {
      clearInterval(looking);
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
