// Owns: starting and stopping a background process. Does not own: its lease. The process itself ensures that only one runs,
// and detects reused pids.
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, type Json, OkaError } from '../api/index.ts';

const POLL_MS = 50;
const MAX_START_MS = 30_000;
const MAX_EXIT_MS = 1_000;
const MAX_LOG_BYTES = 1_048_576;
const LOG_TAIL_LINES = 10;

export interface BackgroundCommand {
  readonly workspace: string;
  /** Arguments for Node. */
  readonly command: readonly string[];
  readonly log: string;
  /** The error code of a process that finds another one running; `data.pid` is the pid of the other. */
  readonly rival: ErrorCode;
  readonly notStarted: ErrorCode;
  readonly isReady: (pid: number) => Promise<boolean>;
}

/** Resolves when the process is ready. `already` means that another process was running. */
export async function startInBackground(
  command: BackgroundCommand,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const started = await spawnInBackground(command);
  try {
    for (let waited = 0; waited < MAX_START_MS; waited += POLL_MS) {
      const ended = await started.endedWithin(POLL_MS);
      if (ended) return { pid: ended.rival ?? started.throwFailure(), already: true };
      if (await command.isReady(started.pid)) return { pid: started.pid, already: false };
    }
  } finally {
    started.detach();
  }
  throw notStarted(
    command,
    `Process ${started.pid} is not ready after ${MAX_START_MS / 1_000} s. See ${command.log}.`,
  );
}

/** The error that the process reported before it exited. */
interface ReportedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, Json>>;
}

class StartedProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #command: BackgroundCommand;
  readonly #end: Promise<true>;
  /** Whether the log file did not exist before. */
  readonly #isNewLog: boolean;
  #error: ReportedError | undefined;

  constructor(child: ChildProcess, command: BackgroundCommand, isNewLog: boolean) {
    this.#child = child;
    this.#command = command;
    this.#isNewLog = isNewLog;
    this.pid = child.pid ?? 0;
    child.on('message', (message) => {
      if ('code' in (message as object)) this.#error = message as ReportedError;
    });
    this.#end = new Promise((resolve) => {
      // 'exit' can come before the last message; 'close' comes after it.
      child.once('close', () => resolve(true));
      child.once('error', () => resolve(true));
    });
  }

  /** Undefined while the process runs; `rival` is the pid of the process that was already running. */
  async endedWithin(ms: number): Promise<{ readonly rival?: number } | undefined> {
    const ended = await Promise.race([this.#end, sleep(ms, false)]);
    if (!ended) return undefined;
    const { pid } = (this.#error?.data ?? {}) as { readonly pid?: number };
    return this.#error?.code === this.#command.rival && pid !== undefined ? { rival: pid } : {};
  }

  /** Throws the reported error, or the end of the log. Removes a log that the process left empty. */
  throwFailure(): never {
    const { log } = this.#command;
    if (this.#error) {
      if (this.#isNewLog && lstatSync(log, { throwIfNoEntry: false })?.size === 0) rmSync(log);
      throw new OkaError(this.#error.code, this.#error.message, { data: this.#error.data });
    }
    const lines = existsSync(log)
      ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES)
      : [];
    throw notStarted(this.#command, `The process exited at once. End of ${log}:\n${lines.join('\n')}`);
  }

  detach(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }
}

async function spawnInBackground(command: BackgroundCommand): Promise<StartedProcess> {
  const { spawn } = await import('node:child_process');
  const isNewLog = !existsSync(command.log);
  const log = openLog(command.log);
  const output = log ?? 'ignore';
  try {
    const child = spawn(process.execPath, [...process.execArgv, ...command.command], {
      cwd: command.workspace,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    return new StartedProcess(child, command, isNewLog);
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/**
 * Opens the log for appending and truncates a large one. Without a real `.oka` folder there is no log, and the process reports
 * the problem itself. Never writes through a symbolic or hard link.
 */
function openLog(log: string): number | undefined {
  const folder = dirname(log);
  if (lstatSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (lstatSync(folder).isSymbolicLink()) throw linkRefused(folder);
  const found = lstatSync(log, { throwIfNoEntry: false });
  if (found !== undefined && !isOwnFile(found)) throw linkRefused(log);
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(log, flags, 0o600);
  const opened = fstatSync(descriptor);
  if (!isOwnFile(opened)) {
    closeSync(descriptor);
    throw linkRefused(log);
  }
  if (opened.size > MAX_LOG_BYTES) ftruncateSync(descriptor);
  return descriptor;
}

/** A regular file without other hard links. */
function isOwnFile(found: Stats): boolean {
  return found.isFile() && found.nlink === 1;
}

function linkRefused(path: string): OkaError {
  return new OkaError(
    'config.link_refused',
    `${path} is a link or not a regular file, and Oka does not write through links here. Remove it.`,
    { data: { path } },
  );
}

function notStarted(command: BackgroundCommand, message: string): OkaError {
  return new OkaError(command.notStarted, message, { data: { log: command.log } });
}

/** Sends SIGTERM and waits until the process has released its lease; false if it has not in time. */
export async function stopProcess(
  pid: number,
  hasReleased: () => Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  send(pid, 'SIGTERM');
  if (!(await waitUntil(hasReleased, withinMs))) return false;
  // It has released its lease; give it a moment to exit.
  await waitUntil(async () => !send(pid, 0), MAX_EXIT_MS);
  return true;
}

/** False if the process does not exist. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function waitUntil(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += POLL_MS) {
    if (await condition()) return true;
    await sleep(POLL_MS);
  }
  return condition();
}
