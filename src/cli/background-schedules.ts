// Owns: starting and stopping the process that works on schedules in the background. Does not own: who may be it; the
// loop itself sees to it that there is one, and knows a process from another that got its pid later.
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, type Json, type OkaApi, OkaError } from '../api/index.ts';

const LOOK_MS = 50;
const LONGEST_START_MS = 30_000;
const LONGEST_STOP_MS = 5_000;
const LONGEST_EXIT_MS = 1_000;
const LARGEST_LOG_BYTES = 1_048_576;
const LAST_LINES = 10;

/** Starts the process, unless there is one; answers when it is ready. */
export async function startLoop(
  api: OkaApi,
  workspace: string,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const running = await api.graphs.schedules.process();
  if (running) return { pid: running.pid, already: true };
  const log = join(workspace, '.oka', 'run', 'scheduler.log');
  const begun = await spawnLoop(workspace, log);
  try {
    for (let waited = 0; waited < LONGEST_START_MS; waited += LOOK_MS) {
      const ended = await begun.endedWithin(LOOK_MS);
      if (ended) return { pid: ended.rival ?? begun.refused(log), already: true };
      const found = await api.graphs.schedules.process();
      if (found?.pid === begun.pid && found.startedAt !== undefined)
        return { pid: begun.pid, already: false };
    }
  } finally {
    begun.letGo();
  }
  throw notStarted(
    `process ${begun.pid} was started and is not ready after ${LONGEST_START_MS / 1_000} s; look into ${log}.`,
    log,
  );
}

/** The error that a process ended with. */
interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: Readonly<Record<string, Json>>;
}

/** A process that was begun and may or may not get ready. */
class BegunLoop {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #end: Promise<true>;
  #told: Told | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    child.on('message', (told) => {
      this.#told = told as Told;
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
    return this.#told?.code === 'schedule.not_started' && pid !== undefined ? { rival: pid } : {};
  }

  /** Throws what it told before it ended, or what stands at the end of its log. */
  refused(log: string): never {
    if (this.#told) throw new OkaError(this.#told.code, this.#told.message, { data: this.#told.data });
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES);
    throw notStarted(`the process ended at once; the end of ${log} says:\n${lines.join('\n')}`, log);
  }

  /** Lets it go on without us. */
  letGo(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }
}

async function spawnLoop(workspace: string, log: string): Promise<BegunLoop> {
  const { spawn } = await import('node:child_process');
  const output = openLog(log);
  try {
    const command = [process.argv[1] as string, '-C', workspace, 'graph', 'schedule', 'loop', '--background'];
    const child = spawn(process.execPath, [...process.execArgv, ...command], {
      cwd: workspace,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    return new BegunLoop(child);
  } finally {
    closeSync(output);
  }
}

/** Opens the log at its end; one that has grown large begins anew. Links are not followed. */
function openLog(log: string): number {
  const folder = join(log, '..');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const link = [folder, log].find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined) {
    throw new OkaError(
      'config.link_refused',
      `${link} is a link, and Oka follows none here; replace it by what it leads to, or remove it.`,
      { data: { path: link } },
    );
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const descriptor = openSync(log, flags, 0o600);
  if (fstatSync(descriptor).size > LARGEST_LOG_BYTES) ftruncateSync(descriptor);
  return descriptor;
}

function notStarted(message: string, log: string): OkaError {
  return new OkaError('schedule.not_started', message, { data: { log } });
}

/** Asks the process to stop and waits until it has; `stopped` is false when there was none, or it goes on. */
export async function stopLoop(api: OkaApi): Promise<{ readonly stopped: boolean; readonly pid?: number }> {
  const running = await api.graphs.schedules.process();
  if (running === undefined) return { stopped: false };
  const { pid, owner } = running;
  if (!owner.includes(`@${hostname()}#`)) {
    throw new OkaError(
      'schedule.not_started',
      `the schedules are worked on by ${owner}, on another machine; stop it there.`,
      { data: { owner } },
    );
  }
  send(pid, 'SIGTERM');
  const hasLetGo = async (): Promise<boolean> => (await api.graphs.schedules.process())?.owner !== owner;
  if (!(await comesTrue(hasLetGo, LONGEST_STOP_MS))) return { stopped: false, pid };
  // It has let go of everything; whoever started it may not have asked after it yet.
  await comesTrue(async () => !send(pid, 0), LONGEST_EXIT_MS);
  return { stopped: true, pid };
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
