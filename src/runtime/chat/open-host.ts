// Owns: wiring an agent's host to this workspace. Does not own: answering.
import { outputText } from '../../api/index.ts';
import {
  AgentHost,
  type AgentHostParts,
  findRun,
  MAX_TURN_MS,
  MAX_WAIT_MS,
  type Notification,
  PERSON,
  type Turn,
  Turns,
  WITHIN,
  withoutLeadingMentions,
} from '../../chat/index.ts';
import { hostsNamedBy, type RunRequest } from '../../engine/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { OpenChat } from './chat-ledgers.ts';
import type { ChatServices } from './chat-services.ts';

/** A host that answers for the given agents, or for all that no other process hosts. */
export async function openHost(
  services: ChatServices,
  { parts, records }: OpenChat,
  {
    agents,
    conversation,
    onTurn,
    onOutcome,
  }: {
    readonly agents: readonly string[] | undefined;
    /** Answers only in this conversation, and takes over turns that another host has claimed. */
    readonly conversation?: string;
  } & Pick<AgentHostParts, 'onTurn' | 'onOutcome'>,
): Promise<AgentHost> {
  const { clock, hostedElsewhere } = services;
  const { self } = services.owners;
  const owners = conversation === undefined ? services.owners : { self, isAlive: () => false };
  const engine = await services.acting();
  return new AgentHost({
    turns: new Turns(parts, { self, isAlive: owners.isAlive.bind(owners) }),
    engine,
    backend: await services.backend(),
    ...(conversation === undefined ? {} : { conversation }),
    clock,
    owners,
    agents: async () => {
      if (agents !== undefined) return agents;
      const elsewhere = await hostedElsewhere();
      return [...(await services.agents.names())].filter((name) => !elsewhere.has(name));
    },
    parked: async (names) => (await records.open(names)).filter(({ parked }) => parked),
    requestOf: (turn) => requestOf(services, records, turn),
    isCancelled: async ({ notification, run }) => {
      const now = await records.notification(notification.id);
      if (now?.status !== 'claimed' || now.run !== run) return true;
      return (await findRun(engine, run))?.cancelRequested !== undefined;
    },
    textOf: outputText,
    onTurn,
    onOutcome,
  });
}

/** The run that answers a notification, within the privileges of every agent in its chain. */
async function requestOf(
  services: ChatServices,
  records: OpenChat['records'],
  { notification, message }: Turn,
): Promise<RunRequest> {
  const { conversation, agent, within, untrusted, id } = notification;
  const request = await services.agentRun(agent, withoutLeadingMentions(agent, message.text), message.from);
  const vars: JsonObject = {
    ...request.vars,
    conversation,
    message: message.id,
    ...(within.length === 0 ? {} : { [WITHIN]: within as unknown as Json }),
  };
  // The time of an agent that sets one includes the waiting; the default counts the work only.
  const { wall_ms: own = MAX_WAIT_MS, wait_ms: maxWait = MAX_WAIT_MS } = request.budgets ?? {};
  const { wait_ms: configured = MAX_WAIT_MS } = (await services.config()).limits;
  const wait_ms = Math.min(own, maxWait, configured, MAX_WAIT_MS);
  const budgets = { wall_ms: MAX_TURN_MS, ...request.budgets, wait_ms };
  return {
    ...request,
    vars,
    budgets,
    subject: conversation,
    group: conversation,
    origin: id,
    namedHosts: await hostsNamedIn(records, notification),
    ...(untrusted ? { untrusted } : {}),
  };
}

/** The hosts that the person named in the message that started the chain. What agents say to each other names none. */
async function hostsNamedIn(
  records: OpenChat['records'],
  { conversation, chain }: Notification,
): Promise<readonly string[]> {
  const first = await records.message(conversation, Number(chain.slice(chain.lastIndexOf('/') + 1)));
  return first?.from === PERSON ? hostsNamedBy(first.text) : [];
}
