// Owns: starting a process that goes on without us, and stopping one. Does not own: who may be it; the process itself sees
// to it that there is one, and knows a process from another that got its pid later.
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

const LOOK_MS = 50;
const LONGEST_START_MS = 30_000;
const LONGEST_EXIT_MS = 1_000;
const LARGEST_LOG_BYTES = 1_048_576;
const LAST_LINES = 10;

/** A process that is to go on in the background. */
export interface BackgroundCommand {
  readonly workspace: string;
  /** What follows the name of Node itself. */
  readonly command: readonly string[];
  /** The file that its output goes to. */
  readonly log: string;
  /** The code with which a process refuses to be the second; its data name the pid of the first. */
  readonly rival: ErrorCode;
  readonly notStarted: ErrorCode;
  /** Whether the process is ready to work. */
  readonly isReady: (pid: number) => Promise<boolean>;
}

/** Starts it and answers when it is ready; `already` when another was faster. */
export async function startInBackground(
  command: BackgroundCommand,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const begun = await spawnInBackground(command);
  try {
    for (let waited = 0; waited < LONGEST_START_MS; waited += LOOK_MS) {
      const ended = await begun.endedWithin(LOOK_MS);
      if (ended) return { pid: ended.rival ?? begun.refused(), already: true };
      if (await command.isReady(begun.pid)) return { pid: begun.pid, already: false };
    }
  } finally {
    begun.letGo();
  }
  throw notStarted(
    command,
    `process ${begun.pid} was started and is not ready after ${LONGEST_START_MS / 1_000} s; look into ${command.log}.`,
  );
}

/** The error that a process ended with. */
interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, Json>>;
}

/** A process that was begun and may or may not get ready. */
class BegunProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #command: BackgroundCommand;
  readonly #end: Promise<true>;
  /** Whether its log was not there before. */
  readonly #newLog: boolean;
  #told: Told | undefined;

  constructor(child: ChildProcess, command: BackgroundCommand, newLog: boolean) {
    this.#child = child;
    this.#command = command;
    this.#newLog = newLog;
    this.pid = child.pid ?? 0;
    child.on('message', (told) => {
      if ('code' in (told as object)) this.#told = told as Told;
    });
    this.#end = new Promise((resolve) => {
      child.once('exit', () => resolve(true));
      child.once('error', () => resolve(true));
    });
  }

  /** Undefined while it goes on; else the process that was faster, if that is why it ended. */
  async endedWithin(ms: number): Promise<{ readonly rival?: number } | undefined> {
    const ended = await Promise.race([this.#end, sleep(ms, false)]);
    if (!ended) return undefined;
    const { pid } = (this.#told?.data ?? {}) as { readonly pid?: number };
    return this.#told?.code === this.#command.rival && pid !== undefined ? { rival: pid } : {};
  }

  /** Throws what it told before it ended, or what stands at the end of its log. Who was refused leaves no empty log. */
  refused(): never {
    const { log } = this.#command;
    if (this.#told) {
      if (this.#newLog && lstatSync(log, { throwIfNoEntry: false })?.size === 0) rmSync(log);
      throw new OkaError(this.#told.code, this.#told.message, { data: this.#told.data });
    }
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES) : [];
    throw notStarted(
      this.#command,
      `the process ended at once; the end of ${log} says:\n${lines.join('\n')}`,
    );
  }

  /** Lets it go on without us. */
  letGo(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }
}

async function spawnInBackground(command: BackgroundCommand): Promise<BegunProcess> {
  const { spawn } = await import('node:child_process');
  const newLog = !existsSync(command.log);
  const log = openLog(command.log);
  const output = log ?? 'ignore';
  try {
    const child = spawn(process.execPath, [...process.execArgv, ...command.command], {
      cwd: command.workspace,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    return new BegunProcess(child, command, newLog);
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/**
 * Opens the log at its end; one that has grown large begins anew. Nothing is made outside of a workspace's own folder: where
 * that is missing or a link there is no log, and the process says what is wrong. No link is written through, of either kind.
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
  if (opened.size > LARGEST_LOG_BYTES) ftruncateSync(descriptor);
  return descriptor;
}

/** Whether it is a file that has no other name. */
function isOwnFile(found: Stats): boolean {
  return found.isFile() && found.nlink === 1;
}

function linkRefused(path: string): OkaError {
  return new OkaError(
    'config.link_refused',
    `${path} is a link or no plain file, and Oka writes through none here; remove it.`,
    { data: { path } },
  );
}

function notStarted(command: BackgroundCommand, message: string): OkaError {
  return new OkaError(command.notStarted, message, { data: { log: command.log } });
}

/** Asks a process to stop and waits until it has let go of everything; false when it goes on. */
export async function stopProcess(
  pid: number,
  hasLetGo: () => Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  send(pid, 'SIGTERM');
  if (!(await comesTrue(hasLetGo, withinMs))) return false;
  // It has let go of everything; whoever started it may not have asked after it yet.
  await comesTrue(async () => !send(pid, 0), LONGEST_EXIT_MS);
  return true;
}

/** False when there is no such process. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function comesTrue(question: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += LOOK_MS) {
    if (await question()) return true;
    await sleep(LOOK_MS);
  }
  return question();
}
