// Owns: starting and stopping the daemon and the hosts of agents.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOkaError, type OkaApi, OkaError } from '../api/index.ts';
import { daemonSocket, okaHome } from '../config/index.ts';
import { startInBackground, stopProcess } from './background-process.ts';
import type { Context } from './context.ts';
import {
  type DaemonPlace,
  findDaemon,
  isSilent,
  probeDaemon,
  type SilentDaemon,
  silentError,
} from './daemon-link.ts';
import { isStopped, recordedProcess, recordOf } from './recorded-process.ts';

const PROGRAM = fileURLToPath(new URL('./daemon.cjs', import.meta.url));
const MAX_STOP_MS = 6_000;

export function placeOf({ workspace }: Context, agent?: string): DaemonPlace {
  return { workspace, home: okaHome(), ...(agent === undefined ? {} : { agent }) };
}

/** The process of a responding host; throws if the host does not respond. */
async function runningPid(place: DaemonPlace): Promise<number | undefined> {
  const running = await probeDaemon(place);
  if (isSilent(running)) throw silentHost(running, place.agent);
  running?.link.close();
  return running?.status.pid;
}

/** Starts the host in the background unless it runs. Resolves when it is ready. */
export async function startHost(
  context: Context,
  agent?: string,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const place = placeOf(context, agent);
  const running = await runningPid(place);
  if (running !== undefined) return { pid: running, already: true };
  const started = await startInBackground({
    workspace: context.workspace,
    command: [PROGRAM, ...argumentsFor(place)],
    log: join(context.workspace, '.oka', 'run', `${nameOf(agent)}.log`),
    rival: 'daemon.running',
    notStarted: 'daemon.not_started',
    isReady: async (pid) => (await findDaemon(place))?.status.pid === pid,
  });
  const record = recordOf(context.workspace, agent);
  // It may be suspended and not listening yet.
  if (started.already && isStopped(started.pid))
    throw silentHost({ silent: 'stopped', pid: started.pid, record }, agent);
  return started;
}

/**
 * Runs the host as a child on this terminal until an interrupt or its end. With `onReady`, its log is not printed, and
 * `onReady` is called when it accepts calls.
 */
export async function runHostInForeground(
  context: Context,
  { agent, onReady }: { readonly agent?: string; readonly onReady?: () => void } = {},
): Promise<void> {
  const { spawn } = await import('node:child_process');
  const place = placeOf(context, agent);
  await runningPid(place);
  const child = spawn(process.execPath, [PROGRAM, ...argumentsFor(place)], {
    cwd: place.workspace,
    stdio: ['ignore', onReady === undefined ? 'inherit' : 'ignore', 'ignore', 'ipc'],
  });
  let failure: { code: 'daemon.running'; message: string; data: object } | undefined;
  child.on('message', (message) => {
    if ('code' in (message as object)) failure = message as typeof failure;
    else onReady?.();
  });
  const end = (): void => void child.kill('SIGTERM');
  context.interrupted.addEventListener('abort', end);
  if (context.interrupted.aborted) end();
  await new Promise((resolve) => child.once('exit', resolve));
  if (failure) throw new OkaError(failure.code, failure.message, { data: { ...failure.data } });
}

/** Stops the host and waits for its exit. `pid` is missing if none runs. */
export async function stopHost(
  context: Context,
  agent?: string,
): Promise<{ readonly stopped: boolean; readonly pid?: number }> {
  const place = placeOf(context, agent);
  const pid = await runningPid(place);
  if (pid === undefined) {
    const found = findUnreachable(context, agent);
    if (found !== undefined) throw unreachable(context, agent, found);
    return { stopped: false };
  }
  const isGone = async (): Promise<boolean> => (await probeDaemon(place)) === undefined;
  return { stopped: await stopProcess(pid, isGone, MAX_STOP_MS), pid };
}

/** The recorded process while nothing listens. Another process may have reused its pid. */
export function findUnreachable(context: Context, agent?: string): number | undefined {
  return recordedProcess(recordOf(context.workspace, agent))?.pid;
}

function unreachable(context: Context, agent: string | undefined, pid: number): OkaError {
  const [record, { path }] = [recordOf(context.workspace, agent), daemonSocket(placeOf(context, agent))];
  return new OkaError(
    'daemon.unreachable',
    `${record} names process ${pid}, but nothing listens on ${path}. It was started with another XDG_RUNTIME_DIR, or its pid was reused. Stop it where it was started, or with: kill ${pid}.`,
    { data: { pid, record } },
  );
}

/** The agents that neither the daemon nor their own host runs. */
export async function unhostedAgents(
  context: Context,
  agents: readonly string[],
): Promise<readonly string[]> {
  if (agents.length === 0 || (await isHosted(context))) return [];
  const hosted = await Promise.all(agents.map((agent) => isHosted(context, agent)));
  return agents.filter((_, i) => !hosted[i]);
}

async function isHosted(context: Context, agent?: string): Promise<boolean> {
  const running = await findDaemon(placeOf(context, agent));
  running?.link.close();
  return running !== undefined;
}

export interface HostedAgents {
  /** Stops the turns at their next step. Another process can continue them. */
  stop(): Promise<void>;
}

/** Runs the agents of the workspace in this process, unless a daemon does. */
export async function hostAgents(
  context: Context,
  api: OkaApi,
  onWarning: (what: string) => void,
): Promise<HostedAgents | undefined> {
  if (await isHosted(context)) return undefined;
  const stopping = new AbortController();
  const hosting = api.chat.host({ signal: stopping.signal }).catch((error: unknown) => {
    onWarning(isOkaError(error) ? error.message : String(error));
  });
  return {
    stop: async () => {
      stopping.abort();
      await hosting;
    },
  };
}

function silentHost(found: SilentDaemon, agent: string | undefined): OkaError {
  if (agent === undefined) return silentError(found);
  return silentError(found, `The process of ${agent}`, `oka agent run ${agent} --detach`);
}

function nameOf(agent: string | undefined): string {
  return agent === undefined ? 'daemon' : `agent-${agent}`;
}

function argumentsFor(place: DaemonPlace): readonly string[] {
  const { workspace, home, agent } = place;
  return [workspace, home, ...(agent === undefined ? [] : [agent])];
}
