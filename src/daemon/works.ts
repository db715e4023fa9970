import type { OkaApi } from '../api/index.ts';
import type { BackgroundWork } from './background-works.ts';
import type { DaemonLog } from './daemon-log.ts';

/** What a daemon does all the time, beside answering. */
export function worksOf(api: OkaApi, log: DaemonLog, agent?: string): readonly BackgroundWork[] {
  const answering: BackgroundWork = {
    name: 'agents',
    run: (signal) =>
      api.chat.host({
        ...(agent === undefined ? {} : { agents: [agent] }),
        signal,
        onTurn: (turn) => log('info', 'an agent has had its turn', turn),
      }),
  };
  if (agent !== undefined) return [answering];
  return [
    {
      name: 'schedules',
      run: (signal) =>
        api.graphs.schedules.loop(signal, ({ schedule, run }) =>
          log('info', 'a schedule has fired', { schedule, run }),
        ),
    },
    answering,
    {
      name: 'maintenance',
      run: (signal) => api.maintenance.loop(signal, (what) => log('trouble', what)),
    },
    { name: 'replication', run: (signal) => replicate(api, signal, log) },
  ];
}

/** Copies the ledger to where the person's configuration says; does nothing where it says nothing. */
async function replicate(api: OkaApi, signal: AbortSignal, log: DaemonLog): Promise<void> {
  if (!(await api.replication.status()).configured) return;
  await api.replication.follow({ signal, onTrouble: (what) => log('trouble', what) });
}
