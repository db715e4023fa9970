import { join } from 'node:path';
import { ProcessRecord } from '../../adapters/processes/index.ts';
import { notifySocket } from '../../adapters/socket-notify/index.ts';
import { chooseModel, DEFAULT_AGENT, NO_MODEL } from '../../agent/index.ts';
import { PERSON } from '../../chat/index.ts';
import { daemonSocket } from '../../config/index.ts';
import type { RunRequest } from '../../engine/index.ts';
import { sortableIds } from '../../kernel/index.ts';
import { eraseContent } from '../memory/erase-content.ts';
import type { Workbench } from '../services/workbench.ts';
import { Chat } from './chat.ts';

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
    agentRun: async (agent, goal, by) =>
      by === PERSON && agent === DEFAULT_AGENT.name && (await worksByRules(agent))
        ? goalWithoutModel(goal)
        : (await bench.surroundings()).agentRuns().request({ goal, agent, budgets: {} }),
    listen: (hear) => bench.hear(hear),
    ring: (names, bell) => {
      for (const path of [socketOf(), ...names.map((name) => socketOf(name))]) notifySocket(path, bell);
    },
    hostedElsewhere: async () => {
      const names = await (await agents()).names();
      return new Set([...names].filter((name) => isHosted(name)));
    },
    onTrouble: (what) => bench.tellTrouble(what),
  });

  /** Whether no model speaks for an agent. */
  async function worksByRules(agent: string): Promise<boolean> {
    const { defaultModel } = await bench.config();
    return chooseModel({ agent: await (await agents()).load(agent), defaultModel }) === undefined;
  }

  /** What a person says where no model can hold a conversation is a goal, and worked on as `oka do` does. */
  async function goalWithoutModel(goal: string): Promise<RunRequest> {
    const { goalRun } = await import('../runs/pursue-goal.ts');
    const { assistantProcedures } = await import('../memory/procedures.ts');
    const request = { goal, model: NO_MODEL, simulate: false, budgets: {}, patienceMs: 0 };
    const prepare = await goalRun(bench, request, assistantProcedures(bench));
    return prepare(await bench.acting());
  }

  /** Whether another living process answers for an agent. */
  function isHosted(agent: string): boolean {
    const found = new ProcessRecord(join(folder.directory, 'run'), `agent-${agent}`).read();
    return found !== undefined && found.owner !== owners.self && owners.isAlive(found.owner);
  }
}
