import type { OkaApi, WorkerOutcome } from '../api/index.ts';
import type { BackgroundWorker } from './background-workers.ts';
import type { DaemonLog } from './daemon-log.ts';

/** The background workers of a daemon. */
export function workersOf(api: OkaApi, log: DaemonLog, agent?: string): readonly BackgroundWorker[] {
  const agents: BackgroundWorker = {
    name: 'agents',
    run: (signal, onOutcome) =>
      api.chat.host({
        ...(agent === undefined ? {} : { agents: [agent] }),
        signal,
        onTurn: (turn) => log('info', 'agent turn finished', turn),
        onOutcome,
      }),
  };
  if (agent !== undefined) return [agents];
  return [
    {
      name: 'schedules',
      run: (signal, onOutcome) =>
        api.graphs.schedules.loop(
          signal,
          ({ schedule, run }) => log('info', 'schedule fired', { schedule, run }),
          onOutcome,
        ),
    },
    agents,
    { name: 'maintenance', run: (signal, onOutcome) => api.maintenance.loop(signal, onOutcome) },
    { name: 'replication', run: (signal, onOutcome) => replicate(api, { signal, onOutcome, log }) },
  ];
}

/** Replicates the ledger to the configured target; does nothing without one. */
async function replicate(
  api: OkaApi,
  {
    signal,
    onOutcome,
    log,
  }: {
    readonly signal: AbortSignal;
    readonly onOutcome: (outcome: WorkerOutcome) => void;
    readonly log: DaemonLog;
  },
): Promise<void> {
  if (!(await api.replication.status()).configured) return;
  await api.replication.follow({ signal, onOutcome, onWaiting: (what) => log('info', what) });
}
