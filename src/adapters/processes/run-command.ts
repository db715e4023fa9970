// Owns: a program and its process group, from start to end.
// I1 When the promise settles, nothing of the group is running.
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../kernel/index.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Empty if omitted. */
  readonly stdin?: string;
  /** What the program reads from file descriptor 3. */
  readonly filter?: Uint8Array;
  readonly stdout: CappedOutput;
  readonly stderr: CappedOutput;
  /** Called with all output as it arrives. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  readonly timeoutMs: number;
  /** The time between SIGTERM and SIGKILL; 0 sends SIGKILL immediately. */
  readonly graceMs: number;
}

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was stopped. */
  readonly stopped?: 'timeout' | 'abort';
}

/** How long output is still read while a process outside the group holds it open. */
const OUTPUT_DRAIN_MS = 200;

/** Runs a program in its own process group; rejects with the system's error if it cannot start. */
export async function runCommand(command: Command, clock: Clock, signal?: AbortSignal): Promise<CommandEnd> {
  // Loaded lazily, because most processes never run a program.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const { stdin, filter, cwd, environment: env, graceMs } = command;
    const child = spawn(command.program, command.args, {
      cwd,
      env,
      detached: true,
      stdio: [
        stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(filter === undefined ? [] : ['pipe' as const]),
      ],
    });
    sendFilter(child, filter);
    let stopped: CommandEnd['stopped'];
    const cleanups: (() => void)[] = [];
    const after = (ms: number, work: () => void): void =>
      void cleanups.push(clock.callAt(clock.now() + ms, work));
    const cleanUp = (): void => {
      for (const one of cleanups) one();
    };
    const stop = (why: CommandEnd['stopped']): void => {
      if (stopped !== undefined) return;
      stopped = why;
      if (hasEnded(child)) endLeftovers(child);
      else signalGroup(child, graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
      if (graceMs > 0) after(graceMs, () => signalGroup(child, 'SIGKILL'));
    };
    const onAbort = (): void => stop('abort');
    after(command.timeoutMs, () => stop('timeout'));
    signal?.addEventListener('abort', onAbort);
    cleanups.push(() => signal?.removeEventListener('abort', onAbort));
    if (signal?.aborted) onAbort();

    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => {
        command[name].add(chunk);
        command.onOutput?.(chunk);
      });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
    child.on('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.on('exit', () => {
      endLeftovers(child);
    });
    child.on('close', (exitCode, ended) => {
      cleanUp();
      resolve({ exitCode, signal: ended, ...(stopped === undefined ? {} : { stopped }) });
    });
  });
}

/** Writes what the program reads from descriptor 3. Its end is seen as the end of the program. */
function sendFilter(child: ChildProcess, filter: Uint8Array | undefined): void {
  const stream = child.stdio[3] as Duplex | null | undefined;
  if (filter === undefined || !stream) return;
  stream.on('error', () => undefined);
  stream.resume();
  stream.end(filter);
}

/** Kills the rest of the group. Output of processes outside the group is no longer read. */
function endLeftovers(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
  const timer = setTimeout(() => {
    for (const stream of child.stdio) stream?.destroy();
  }, OUTPUT_DRAIN_MS);
  timer.unref();
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

/** Captures output up to a limit: keeps its beginning and its end, and counts the middle. */
export class CappedOutput {
  readonly #maxHead: number;
  readonly #maxTail: number;
  readonly #head: Uint8Array[] = [];
  readonly #tail: Uint8Array[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#maxHead = headBytes;
    this.#maxTail = tailBytes;
  }

  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#maxHead - this.#headBytes);
    if (first.length > 0) this.#head.push(first);
    this.#headBytes += first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (;;) {
      const oldest = this.#tail[0]?.length ?? 0;
      if (this.#tail.length === 0 || this.#tailBytes - oldest < this.#maxTail) return;
      this.#tail.shift();
      this.#tailBytes -= oldest;
    }
  }

  get truncated(): boolean {
    return this.#total > this.#maxHead + this.#maxTail;
  }

  text(): string {
    if (!this.truncated) return new TextDecoder().decode(Buffer.concat([...this.#head, ...this.#tail]));
    // Drops a character that was cut at either side.
    const head = new TextDecoder().decode(Buffer.concat(this.#head), { stream: true });
    const all = Buffer.concat(this.#tail);
    const tail = all.subarray(Math.max(0, all.length - this.#maxTail));
    const start = tail.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
    const left = this.#total - this.#headBytes - tail.length;
    return `${head}\n[${left} bytes left out]\n${new TextDecoder().decode(tail.subarray(Math.max(0, start)))}`;
  }
}

/** Returns only the named environment variables. */
export function cleanEnvironment(names: readonly string[]): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) clean[name] = value;
  }
  return clean;
}
