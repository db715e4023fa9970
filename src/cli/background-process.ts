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

/** The error that the process reports before it exits. */
interface ReportedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, Json>>;
}

/** Resolves when the process is ready. `already` means that another process was running. */
export async function startInBackground(
  command: BackgroundCommand,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const isNewLog = !existsSync(command.log);
  const child = await spawnInBackground(command);
  const { pid = 0 } = child;
  let reported: ReportedError | undefined;
  child.on('message', (message) => {
    if ('code' in (message as object)) reported = message as ReportedError;
  });
  const ended = new Promise<true>((resolve) => {
    // 'exit' can come before the last message; 'close' comes after it.
    child.once('close', () => resolve(true)).once('error', () => resolve(true));
  });
  try {
    for (let waited = 0; waited < MAX_START_MS; waited += POLL_MS) {
      if (await Promise.race([ended, sleep(POLL_MS, false)])) {
        const rival = reported?.code === command.rival ? reported.data['pid'] : undefined;
        if (typeof rival === 'number') return { pid: rival, already: true };
        throw startFailure(command, isNewLog, reported);
      }
      if (await command.isReady(pid)) return { pid, already: false };
    }
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
  throw notStarted(
    command,
    `Process ${pid} is not ready after ${MAX_START_MS / 1_000} s. See ${command.log}.`,
  );
}

/** The reported error, or the end of the log. Removes a log that the process left empty. */
function startFailure(command: BackgroundCommand, isNewLog: boolean, reported?: ReportedError): OkaError {
  const { log } = command;
  if (reported) {
    if (isNewLog && lstatSync(log, { throwIfNoEntry: false })?.size === 0) rmSync(log);
    return new OkaError(reported.code, reported.message, { data: reported.data });
  }
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES) : [];
  return notStarted(command, `The process exited at once. End of ${log}:\n${lines.join('\n')}`);
}

async function spawnInBackground({ log, command, workspace }: BackgroundCommand): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process');
  const descriptor = openLog(log);
  const output = descriptor ?? 'ignore';
  try {
    return spawn(process.execPath, [...process.execArgv, ...command], {
      cwd: workspace,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
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
