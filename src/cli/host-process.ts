// Owns: starting and stopping the processes that answer on a socket: the daemon, and hosts of agents.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OkaError } from '../api/index.ts';
import { daemonSocket, okaHome } from '../config/index.ts';
import { startInBackground, stopProcess } from './background-process.ts';
import type { Context } from './context.ts';
import { type DaemonPlace, findDaemon, isSilent, lookForDaemon, type SilentDaemon } from './daemon-link.ts';
import { isStopped, recordedProcess, recordOf } from './recorded-process.ts';
import { silentError } from './silent-daemon.ts';

/** Beside the program, wherever that is installed. */
const PROGRAM = fileURLToPath(new URL('./daemon.js', import.meta.url));
const LONGEST_STOP_MS = 6_000;

/** Which process is meant: the daemon, or the host of an agent. */
export function placeOf({ workspace }: Context, agent?: string): DaemonPlace {
  return { workspace, home: okaHome(), ...(agent === undefined ? {} : { agent }) };
}

/** Starts it in the background, unless it is there; answers when it is ready. */
export async function startHost(
  context: Context,
  agent?: string,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const place = placeOf(context, agent);
  const running = await lookForDaemon(place);
  if (isSilent(running)) throw silentHost(running, agent);
  running?.link.close();
  if (running) return { pid: running.status.pid, already: true };
  const started = await startInBackground({
    workspace: context.workspace,
    command: [PROGRAM, ...wordsOf(place)],
    log: join(context.workspace, '.oka', 'run', `${nameOf(agent)}.log`),
    rival: 'daemon.running',
    notStarted: 'daemon.not_started',
    isReady: async (pid) => (await findDaemon(place))?.status.pid === pid,
  });
  const record = recordOf(context.workspace, agent);
  // It may have been suspended before it listened.
  if (started.already && isStopped(started.pid))
    throw silentHost({ silent: 'stopped', pid: started.pid, record }, agent);
  return started;
}

/** Runs it as a child that shares this terminal, until the person wants out or it ends. */
export async function stayWithHost(context: Context, agent?: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const place = placeOf(context, agent);
  const running = await lookForDaemon(place);
  if (isSilent(running)) throw silentHost(running, agent);
  running?.link.close();
  const child = spawn(process.execPath, [PROGRAM, ...wordsOf(place)], {
    cwd: place.workspace,
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  let told: { code: 'daemon.running'; message: string; data: object } | undefined;
  child.on('message', (message) => {
    if ('code' in (message as object)) told = message as typeof told;
  });
  const end = (): void => void child.kill('SIGTERM');
  context.interrupted.addEventListener('abort', end);
  if (context.interrupted.aborted) end();
  await new Promise((resolve) => child.once('exit', resolve));
  if (told) throw new OkaError(told.code, told.message, { data: { ...told.data } });
}

/** Stops it and waits until it has let go of everything; `pid` is missing where none runs. */
export async function stopHost(
  context: Context,
  agent?: string,
): Promise<{ readonly stopped: boolean; readonly pid?: number }> {
  const place = placeOf(context, agent);
  const running = await lookForDaemon(place);
  if (running === undefined) {
    const hidden = findHidden(context, agent);
    if (hidden !== undefined) throw unreachable(context, agent, hidden);
    return { stopped: false };
  }
  if (isSilent(running)) throw silentHost(running, agent);
  running.link.close();
  const { pid } = running.status;
  const isGone = async (): Promise<boolean> => (await lookForDaemon(place)) === undefined;
  return { stopped: await stopProcess(pid, isGone, LONGEST_STOP_MS), pid };
}

/** The process that says in the workspace that it is there while nothing listens: its pid may be another's by now. */
export function findHidden(context: Context, agent?: string): number | undefined {
  return recordedProcess(recordOf(context.workspace, agent))?.pid;
}

function unreachable(context: Context, agent: string | undefined, pid: number): OkaError {
  const [record, { path }] = [recordOf(context.workspace, agent), daemonSocket(placeOf(context, agent))];
  return new OkaError(
    'daemon.unreachable',
    `${record} names process ${pid}, and nothing listens on ${path}: it was started with another XDG_RUNTIME_DIR, or the pid is another's by now. Stop it where it was started, or with: kill ${pid}.`,
    { data: { pid, record } },
  );
}

function silentHost(found: SilentDaemon, agent: string | undefined): OkaError {
  if (agent === undefined) return silentError(found);
  return silentError(found, `The process of ${agent}`, `oka agent run ${agent} --detach`);
}

function nameOf(agent: string | undefined): string {
  return agent === undefined ? 'daemon' : `agent-${agent}`;
}

function wordsOf(place: DaemonPlace): readonly string[] {
  const { workspace, home, agent } = place;
  return [workspace, home, ...(agent === undefined ? [] : [agent])];
}
