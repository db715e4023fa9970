import { join } from 'node:path';
import { ringSocket } from '../adapters/doorbell/index.ts';
import { ProcessRecord } from '../adapters/processes/index.ts';
import { daemonSocket } from '../config/index.ts';
import { sortableIds } from '../kernel/index.ts';
import { Chat } from './chat.ts';
import { eraseContent } from './erase-content.ts';
import type { Workbench } from './workbench.ts';

/** Conversations on the workspace of a workbench. */
export async function openChat(bench: Workbench, home: string): Promise<Chat> {
  const { clock, random, owners, folder } = bench;
  const agents = async () => (await bench.surroundings()).agents();
  const socketOf = (agent?: string): string =>
    daemonSocket({ workspace: folder.workspace, home, ...(agent === undefined ? {} : { agent }) }).path;
  let alwaysSync: boolean | undefined;
  let primed: Promise<void> | undefined;
  return new Chat({
    clock,
    settings: async () => (await bench.config()).chat,
    owners,
    ids: sortableIds(clock, random),
    databaseFile: folder.database,
    ledger: () => bench.ledger(),
    writable: async () => {
      bench.requireTrust();
      alwaysSync ??= (await bench.config()).alwaysSync;
      const ledger = await bench.writable(alwaysSync);
      primed ??= (await bench.surroundings()).primeRedactor();
      await primed;
      return ledger;
    },
    acting: () => bench.acting(),
    agents: {
      names: async () => (await agents()).names(),
      toolsOf: async (agent) => (await (await agents()).load(agent)).tools,
    },
    erase: (ledger, events, by, reason) => eraseContent(bench, ledger, { events, by, reason }),
    agentRun: async (agent, goal) =>
      (await bench.surroundings()).agentRuns().request({ goal, agent, budgets: {} }),
    listen: (hear) => bench.hear(hear),
    ring: (names, bell) => {
      for (const path of [socketOf(), ...names.map((name) => socketOf(name))]) ringSocket(path, bell);
    },
    hostedElsewhere: async () => {
      const names = await (await agents()).names();
      return new Set([...names].filter((name) => isHosted(name)));
    },
    onTrouble: (what) => bench.tellTrouble(what),
  });

  /** Whether another living process answers for an agent. */
  function isHosted(agent: string): boolean {
    const found = new ProcessRecord(join(folder.directory, 'run'), `agent-${agent}`).read();
    return found !== undefined && found.owner !== owners.self && owners.isAlive(found.owner);
  }
}
