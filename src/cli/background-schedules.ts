import { hostname } from 'node:os';
import { join } from 'node:path';
import { type OkaApi, OkaError } from '../api/index.ts';
import { startInBackground, stopProcess } from './background-process.ts';
import { isSilent, lookForDaemon } from './daemon-link.ts';
import { silentError } from './silent-daemon.ts';

const LONGEST_STOP_MS = 5_000;

/** Starts the process that works on schedules, unless there is one; answers when it is ready. */
export async function startLoop(
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

/** Asks the process to stop and waits until it has; `stopped` is false when there was none, or it goes on. */
export async function stopLoop(
  api: OkaApi,
  place: { readonly workspace: string; readonly home: string },
): Promise<{ readonly stopped: boolean; readonly pid?: number }> {
  const running = await api.graphs.schedules.process();
  if (running === undefined) return { stopped: false };
  const { pid, owner } = running;
  const daemon = await lookForDaemon(place);
  // A signal would reach it when it continues, long after anybody wants that.
  if (isSilent(daemon) && daemon.pid === pid) throw silentError(daemon);
  const answering = isSilent(daemon) ? undefined : daemon;
  answering?.link.close();
  if (answering?.status.pid === pid) {
    throw new OkaError(
      'daemon.running',
      `the daemon, process ${pid}, works on the schedules; stop it with: oka down.`,
      { data: { pid } },
    );
  }
  if (!owner.includes(`@${hostname()}#`)) {
    throw new OkaError(
      'schedule.not_started',
      `the schedules are worked on by ${owner}, on another machine; stop it there.`,
      { data: { owner } },
    );
  }
  const hasLetGo = async (): Promise<boolean> => (await api.graphs.schedules.process())?.owner !== owner;
  return { stopped: await stopProcess(pid, hasLetGo, LONGEST_STOP_MS), pid };
}
