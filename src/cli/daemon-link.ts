// Owns: the connection to the daemon over its socket. Does not own: the operations.
import { existsSync, lstatSync, type Stats } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { type CallLine, type DaemonLink, type DaemonStatus, OkaError, type WireError } from '../api/index.ts';
import { daemonSocket } from '../config/index.ts';
import { recordedProcess, recordOf } from './recorded-process.ts';

declare const __OKA_BUILD__: string;

export interface FoundDaemon {
  readonly status: DaemonStatus;
  readonly link: DaemonLink;
}

/** A daemon whose socket exists but does not respond. */
export interface SilentDaemon {
  readonly silent: 'stopped' | 'unresponsive';
  /** Missing if the record in the workspace names no existing process. */
  readonly pid?: number;
  readonly record: string;
}

/** Identifies the daemon, or the host of an agent. */
export interface DaemonPlace {
  readonly workspace: string;
  readonly home: string;
  readonly agent?: string;
}

/** A healthy daemon reports its status at once. */
const STATUS_TIMEOUT_MS = 3_000;
/** How often to check whether the process is suspended, which ends the wait early. */
const SUSPENDED_CHECK_MS = 500;

/** Whether a daemon has left its record in the workspace. The daemon may have died since. */
export function isAnnounced({ workspace }: DaemonPlace): boolean {
  return existsSync(recordOf(workspace));
}

/** Finds a responding daemon or agent host. Its version may differ. */
export async function findDaemon(place: DaemonPlace): Promise<FoundDaemon | undefined> {
  const found = await probeDaemon(place);
  return isSilent(found) ? undefined : found;
}

export function isSilent(found: FoundDaemon | SilentDaemon | undefined): found is SilentDaemon {
  return found !== undefined && 'silent' in found;
}

/** Like `findDaemon`, but also returns a daemon that does not respond. */
export async function probeDaemon(
  place: DaemonPlace,
  patienceMs = STATUS_TIMEOUT_MS,
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

/** Describes an unresponsive daemon or agent host, and the next step. */
export function describeSilent(
  { silent, pid, record }: SilentDaemon,
  what = 'The daemon',
  restart = 'oka up',
): { readonly problem: string; readonly next: string } {
  if (pid === undefined) {
    return {
      problem: `${what} does not respond, and ${record} names no existing process.`,
      next: `Find and end the listening process, then run: ${restart}`,
    };
  }
  const end = `end it with: kill -9 ${pid}, then run: ${restart}`;
  if (silent === 'stopped') {
    return {
      problem: `${what} is stopped: process ${pid} is suspended.`,
      next: `Continue it with: kill -CONT ${pid}. Or ${end}`,
    };
  }
  return { problem: `${what} does not respond: process ${pid}.`, next: `If this persists, ${end}` };
}

export function silentError(found: SilentDaemon, what?: string, restart?: string): OkaError {
  const { problem, next } = describeSilent(found, what, restart);
  const { silent: state, pid } = found;
  return new OkaError('daemon.unreachable', `${problem} ${next}.`, {
    data: { state, ...(pid === undefined ? {} : { pid }) },
  });
}

/** A link of a daemon that opens its web app once. */
export interface WebLink {
  readonly url: string;
  readonly expiresAt: number;
}

/** Asks the daemon of a workspace for a link to a page of its web app. */
export async function requestWebLink(place: DaemonPlace, page?: string): Promise<WebLink> {
  return new SocketLink(daemonSocket(place).path).webLink(page);
}

/** Another build may use another protocol, and cannot load its own lazy modules. */
export function isOfThisBuild({ build }: DaemonStatus): boolean {
  return build === __OKA_BUILD__;
}

/** Whether the socket belongs to the current user. */
function isOwnSocket(path: string): boolean {
  const found = statOf(path);
  return found?.isSocket() === true && (process.getuid === undefined || found.uid === process.getuid());
}

/** Undefined if nothing exists there, even if a parent is not a folder. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

class SocketLink implements DaemonLink {
  readonly #socketPath: string;
  readonly #closing = new AbortController();

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Undefined if nothing listens. Gives up early if the process is suspended. */
  async status(patienceMs: number, isStopped: () => boolean): Promise<DaemonStatus | 'silent' | undefined> {
    const timeout = AbortSignal.timeout(patienceMs);
    const stopped = new AbortController();
    const timer = setInterval(() => isStopped() && stopped.abort(), SUSPENDED_CHECK_MS);
    const signal = AbortSignal.any([this.#closing.signal, timeout, stopped.signal]);
    try {
      return JSON.parse(await wholeBody(await this.#send({ path: '/v1/status', signal }))) as DaemonStatus;
    } catch (error) {
      // The backlog of the socket is full.
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      return timeout.aborted || stopped.signal.aborted || isFull ? 'silent' : undefined;
    } finally {
      clearInterval(timer);
    }
  }

  async webLink(to?: string): Promise<WebLink> {
    const body = JSON.stringify(to === undefined ? {} : { to });
    const response = await this.#send({ path: '/v1/web/link', method: 'POST' }, body).catch(unreachable);
    const answer = JSON.parse(await wholeBody(response)) as WebLink | { readonly error: WireError };
    if (!('error' in answer)) return answer;
    throw new OkaError(answer.error.code, answer.error.message, { data: answer.error.data });
  }

  async *call(operation: string, body: unknown, abort: AbortSignal): AsyncGenerator<CallLine> {
    // A pid can be reused while an abandoned call still runs; the timestamp cannot.
    const id = `${process.pid}-${process.hrtime.bigint()}`;
    const release = (): void => {
      void this.#send({ path: `/v1/calls/${id}`, method: 'DELETE' }).then(wholeBody, () => undefined);
    };
    const path = `/v1/calls/${id}/${operation}`;
    const response = await this.#send({ path, method: 'POST' }, JSON.stringify(body)).catch(unreachable);
    abort.addEventListener('abort', release);
    if (abort.aborted) release();
    try {
      if (response.statusCode !== 200)
        throw refused(operation, response.statusCode, await wholeBody(response));
      yield* linesOf(response);
    } finally {
      abort.removeEventListener('abort', release);
      response.destroy();
    }
  }

  close(): void {
    this.#closing.abort();
  }

  async #send(options: RequestOptions, body?: string): Promise<IncomingMessage> {
    const { request } = await import('node:http');
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          socketPath: this.#socketPath,
          // A kept-alive connection would reach a daemon that is stopping.
          agent: false,
          signal: this.#closing.signal,
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
  return new OkaError('daemon.bad_call', `The daemon rejected ${operation} (${status}): ${text}`, {
    data: { operation },
  });
}

function unreachable(error: Error): never {
  throw new OkaError(
    'daemon.unreachable',
    `The daemon does not respond: ${error.message}. Check it with: oka status. Restart it with: oka down, then oka up.`,
    { cause: error },
  );
}
