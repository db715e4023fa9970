import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../kernel/index.ts';
import type { ProgramLaunch } from '../../tools/index.ts';

/** The wait after closing stdin, and again after SIGTERM, before SIGKILL. */
const GRACE_MS = 1_000;

export interface StdioOptions {
  /** Prepares the server's program; rejects if it may not start. */
  readonly launch: () => Promise<ServerProgram>;
  readonly maxMessageBytes: number;
  readonly clock: Clock;
}

/** A server's program; `check` and `end` are called when it has ended. */
export type ServerProgram = Pick<ProgramLaunch, 'program' | 'args' | 'cwd' | 'environment' | 'filter'> &
  Partial<Pick<ProgramLaunch, 'check' | 'end'>>;

/** Running process groups; none outlives this process. */
const alive = new Set<number>();
let isWatching = false;

/**
 * Connects to a server over its standard streams. The server has its own process group, which is ended as a whole. The SDK's
 * transport supports neither process groups nor a clean environment.
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
  #program: ServerProgram | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#buffer = new ReadBuffer({ maxBufferSize: options.maxMessageBytes });
  }

  /** The SDK detects stdio by these two members, which enables its fallback to the older protocol. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#child?.stderr ?? null;
  }

  /** Why this side closed the connection. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** How the server ended, if it has. */
  get exit(): string | undefined {
    const { exitCode, signalCode } = this.#child ?? {};
    if (signalCode) return `ended by ${signalCode}`;
    return typeof exitCode === 'number' ? `ended with exit code ${exitCode}` : undefined;
  }

  async start(): Promise<void> {
    this.#program = await this.#options.launch();
    const { program, args, environment, cwd, filter } = this.#program;
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd,
        env: environment,
        detached: true,
        shell: false,
        stdio: ['pipe', 'pipe', 'pipe', ...(filter === undefined ? [] : ['pipe' as const])],
      }) as ChildProcessWithoutNullStreams;
      this.#child = child;
      const extra = child.stdio[3] as Duplex | undefined;
      extra?.on('error', () => undefined).end(filter);
      child.once('spawn', () => {
        trackGroup(child.pid as number);
        resolve();
      });
      child.once('error', reject);
      this.#ended = new Promise((ended) => {
        child.once('error', () => void this.#release().finally(ended));
        child.once('exit', () => {
          signalGroup(child.pid as number, 'SIGKILL');
          alive.delete(child.pid as number);
          void this.#release().finally(ended);
        });
      });
      void this.#ended.then(() => this.onclose?.());
      child.stderr.on('data', (chunk: Buffer) => this.said.add(chunk));
      child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
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
    if (!(await this.#endsWithinGrace())) {
      signalGroup(child.pid, 'SIGTERM');
      if (!(await this.#endsWithinGrace())) signalGroup(child.pid, 'SIGKILL');
    }
    await this.#ended;
    // A process outside the group may still hold the streams; they are no longer read.
    for (const stream of child.stdio) stream?.destroy();
    this.#buffer.clear();
  }

  /** Undoes what the server may not leave behind. */
  async #release(): Promise<void> {
    try {
      const notes = (await this.#program?.check?.()) ?? [];
      for (const note of notes) this.onerror?.(new Error(note));
    } finally {
      await this.#program?.end?.();
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.#failure = error as Error;
      this.onerror?.(this.#failure);
      // Stops the server from sending more while it ends.
      this.#child?.stdout.destroy();
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // Skips a line that is no message.
        this.onerror?.(error as Error);
      }
    }
  }

  async #endsWithinGrace(): Promise<boolean> {
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

/** Kills the group when this process exits. */
function trackGroup(pid: number): void {
  alive.add(pid);
  if (isWatching) return;
  isWatching = true;
  process.on('exit', () => {
    for (const group of alive) signalGroup(group, 'SIGKILL');
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 500;

/** The last lines of a stream, for error messages about an ended server. */
class LastLines {
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [''];

  add(chunk: Buffer): void {
    const [first = '', ...more] = this.#decoder.write(chunk).split('\n');
    const last = this.#lines.pop() ?? '';
    this.#lines = [...this.#lines, last + first, ...more]
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE_LENGTH));
  }

  text(): string {
    return this.#lines.join('\n').trim();
  }
}
