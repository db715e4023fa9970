import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../kernel/index.ts';
import { LastLines } from './last-lines.ts';

/** Grace after the end of its input, and again after a polite signal, before a server is ended by force. */
const GRACE_MS = 1_000;

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All that the server sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly largestMessageBytes: number;
  readonly clock: Clock;
}

/** Process groups that have not ended; whatever happens, none outlives this process. */
const alive = new Set<number>();
let isWatching = false;

/**
 * Talks with a server over its standard streams. The server has a process group of its own, which ends as a whole. The
 * SDK's own transport can neither start a group nor keep the environment clean.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly said = new LastLines();
  readonly #options: StdioOptions;
  readonly #buffer: ReadBuffer;
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#buffer = new ReadBuffer({ maxBufferSize: options.largestMessageBytes });
  }

  /** The SDK tells stdio from HTTP by these two: a server that does not know its first question is then an older one. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#child?.stderr ?? null;
  }

  /** Why the talk was broken off by this side, if it was. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** How the server ended, if it has. */
  get exit(): string | undefined {
    const { exitCode, signalCode } = this.#child ?? {};
    if (signalCode) return `ended by ${signalCode}`;
    return typeof exitCode === 'number' ? `ended with exit code ${exitCode}` : undefined;
  }

  start(): Promise<void> {
    const { command, args, environment, cwd } = this.#options;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd,
        env: environment,
        detached: true,
        shell: false,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      this.#child = child;
      child.once('spawn', () => {
        remember(child.pid);
        resolve();
      });
      child.once('error', reject);
      this.#ended = new Promise((ended) => {
        child.once('error', () => ended());
        child.once('exit', () => {
          endGroup(child, 'SIGKILL');
          forget(child.pid);
          ended();
        });
      });
      void this.#ended.then(() => this.onclose?.());
      child.stderr.on('data', (chunk: Buffer) => this.said.add(chunk));
      child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
      for (const stream of [child.stdin, child.stdout, child.stderr])
        stream.on('error', (error) => this.onerror?.(error));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable) throw new Error('the server has ended');
    if (stdin.write(serializeMessage(message))) return;
    await Promise.race([new Promise<void>((resolve) => stdin.once('drain', resolve)), this.#ended]);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    if (!(await this.#endsSoon())) {
      endGroup(child, 'SIGTERM');
      if (!(await this.#endsSoon())) endGroup(child, 'SIGKILL');
    }
    await this.#ended;
    // Whoever has left the group may still hold these; it is no longer listened to.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#buffer.clear();
  }

  #take(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.#failure = error as Error;
      this.onerror?.(this.#failure);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is no message is passed over; the next may be one.
        this.onerror?.(error as Error);
      }
    }
  }

  async #endsSoon(): Promise<boolean> {
    const { clock } = this.#options;
    let cancel = (): void => undefined;
    const late = new Promise<false>((resolve) => {
      cancel = clock.callAt(clock.now() + GRACE_MS, () => resolve(false));
    });
    const ended = await Promise.race([this.#ended.then(() => true as const), late]);
    cancel();
    return ended;
  }
}

function remember(pid: number | undefined): void {
  if (pid === undefined) return;
  alive.add(pid);
  if (isWatching) return;
  isWatching = true;
  process.on('exit', () => {
    for (const group of alive) signalGroup(group, 'SIGKILL');
  });
}

function forget(pid: number | undefined): void {
  if (pid !== undefined) alive.delete(pid);
}

function endGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) signalGroup(child.pid, signal);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
