// Owns: what conversations need beyond the services of the workspace: how agents answer, and how hosts are notified.
import { notifySocket } from '../../adapters/socket-notify/index.ts';
import { chooseModel, DEFAULT_AGENT, NO_MODEL } from '../../agent/index.ts';
import { type ChainLimits, PERSON } from '../../chat/index.ts';
import { daemonSocket } from '../../config/index.ts';
import type { RunRequest } from '../../engine/index.ts';
import { warnOf } from '../../kernel/index.ts';
import { agentProcess } from '../agents/agent-process.ts';
import { executionConfig } from '../cluster/execution-backend.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { chatAgents } from './chat-agents.ts';

/** Limits of chains, and how long messages are shown. */
export type ChatSettings = Partial<ChainLimits> & { readonly ttlMs?: number };

/** Which message a host is notified of. */
export interface HostNotice {
  readonly conv_name: string;
  readonly message_id: number;
  readonly depth: number;
}

export type ChatServices = ReturnType<typeof chatServices>;

export function chatServices(services: WorkspaceServices) {
  const { clock, ids, folder, home, owners, ledger, acting, backend, listen } = services;
  const { listenToActivity, afterErasure, warn } = services;
  const { workspace } = folder;
  let primed: Promise<void> | undefined;
  const writable = async (): Promise<OpenLedger> => {
    const ledger = await services.writable();
    primed ??= services.primeRedactor();
    await primed;
    return ledger;
  };
  const settings = async (): Promise<ChatSettings> => (await services.config()).chat;

  /** Whether another live process answers for an agent. */
  const isHosted = (agent: string): boolean => {
    const found = agentProcess(folder.directory, owners, agent);
    return found !== undefined && found.owner !== owners.self;
  };

  return {
    ...{ clock, ids, folder, owners, ledger, acting, backend, listen, listenToActivity, afterErasure, warn },
    agents: chatAgents(services.agents),
    config: services.config,
    writable,
    settings,

    /** The run of an agent that answers a message. */
    agentRun: async (agent: string, goal: string, by: string): Promise<RunRequest> =>
      by === PERSON && agent === DEFAULT_AGENT.name && !(await hasModel(services, agent))
        ? goalWithoutModel(services, goal)
        : (await services.agentRuns()).request({ goal, agent, budgets: {} }),

    /** Wakes the hosts of agents in other processes, or their mailboxes on the cluster. */
    notifyHosts: async (agents: readonly string[], notice: HostNotice): Promise<void> => {
      if ((await executionConfig(services)).backend !== 'local') return deliverTo(services, agents, notice);
      const sockets = [{}, ...agents.map((agent) => ({ agent }))];
      for (const of of sockets) notifySocket(daemonSocket({ workspace, home, ...of }).path, notice);
    },

    /** Agents that answer in a process of their own. */
    hostedElsewhere: async (): Promise<ReadonlySet<string>> =>
      new Set([...(await (await services.agents()).names())].filter(isHosted)),
  };
}

/** The messages are recorded, so that a cluster that cannot be reached delivers them later. */
async function deliverTo(
  { backend, warn }: WorkspaceServices,
  agents: readonly string[],
  notice: HostNotice,
): Promise<void> {
  const cluster = await backend();
  const id = `${notice.conv_name}/${notice.message_id}`;
  for (const recipient of agents)
    await cluster
      .deliver({ id, recipient, payload: { ...notice } })
      .catch((error: unknown) => warnOf(warn, error));
}

async function hasModel(services: WorkspaceServices, agent: string): Promise<boolean> {
  const { defaultModel } = await services.config();
  return chooseModel({ agent: await (await services.agents()).load(agent), defaultModel }) !== undefined;
}

/** Without a model, a person's message is a goal, as for `oka do`. */
async function goalWithoutModel(services: WorkspaceServices, goal: string): Promise<RunRequest> {
  const { goalRun } = await import('../runs/pursue-goal.ts');
  const { assistantProcedures } = await import('../memory/procedures.ts');
  const request = { goal, model: NO_MODEL, simulate: false, budgets: {}, patienceMs: 0 };
  const prepare = await goalRun(services, request, assistantProcedures(services));
  return prepare(await services.acting());
}
