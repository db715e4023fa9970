import { hostname } from 'node:os';
import { join } from 'node:path';
import { type OkaApi, OkaError } from '../api/index.ts';
import { startInBackground, stopProcess } from './background-process.ts';
import { isSilent, probeDaemon, silentError } from './daemon-link.ts';

const MAX_STOP_MS = 5_000;

/** Starts the scheduler process unless one runs. Resolves when it is ready. */
export async function startScheduler(
  api: OkaApi,
  workspace: string,
): Promise<{ readonly pid: number; readonly already: boolean }> {
  const running = await api.graphs.schedules.process();
  if (running) return { pid: running.pid, already: true };
  return startInBackground({
    workspace,
    command: [process.argv[1] as string, '-C', workspace, 'graph', 'schedule', 'loop', '--background'],
    log: join(workspace, '.oka', 'run', 'scheduler.log'),
    rival: 'schedule.not_started',
    notStarted: 'schedule.not_started',
    isReady: async (pid) => {
      const found = await api.graphs.schedules.process();
      return found?.pid === pid && found.startedAt !== undefined;
    },
  });
}

/** Stops the scheduler process. `stopped` is false if none runs or it does not stop in time. */
export async function stopScheduler(
  api: OkaApi,
  place: { readonly workspace: string; readonly home: string },
): Promise<{ readonly stopped: boolean; readonly pid?: number }> {
  const running = await api.graphs.schedules.process();
  if (running === undefined) return { stopped: false };
  const { pid, owner } = running;
  const daemon = await probeDaemon(place);
  // A suspended process would handle the signal only when it continues.
  if (isSilent(daemon) && daemon.pid === pid) throw silentError(daemon);
  const answering = isSilent(daemon) ? undefined : daemon;
  answering?.link.close();
  if (answering?.status.pid === pid) {
    throw new OkaError(
      'daemon.running',
      `The daemon runs the schedules: process ${pid}. Stop it with: oka down.`,
      { data: { pid } },
    );
  }
  if (!owner.includes(`@${hostname()}#`)) {
    throw new OkaError(
      'schedule.not_started',
      `The scheduler runs on another machine: ${owner}. Stop it there.`,
      { data: { owner } },
    );
  }
  const hasReleased = async (): Promise<boolean> => (await api.graphs.schedules.process())?.owner !== owner;
  return { stopped: await stopProcess(pid, hasReleased, MAX_STOP_MS), pid };
}
