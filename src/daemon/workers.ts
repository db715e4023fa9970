import type { OkaApi } from '../api/index.ts';
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
    {
      name: 'replication',
      run: (signal, onOutcome) =>
        replicate(api, { signal, onOutcome, onWaiting: (what) => log('info', what) }),
    },
  ];
}

/** Replicates the ledger to the configured target; does nothing without one. */
async function replicate(
  { replication }: OkaApi,
  options: Parameters<OkaApi['replication']['follow']>[0],
): Promise<void> {
  if ((await replication.status()).configured) await replication.follow(options);
}
