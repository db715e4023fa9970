import { SqlChatRecords } from '../adapters/sql/index.ts';
import {
  type ChainLimits,
  type ChatAgents,
  type ChatParts,
  ConversationErasure,
  Conversations,
  DEFAULT_CHAIN_LIMITS,
  stopRun,
} from '../chat/index.ts';
import { type Engine, type RunId, runStream } from '../engine/index.ts';
import { requireLedgerFiles } from './open-memory.ts';
import type { Stores } from './open-stores.ts';

export interface OpenConversationsOptions {
  /** The agents that can be mentioned, and the tools that each may use. */
  readonly agents: ChatAgents;
  /** The engine of the agents' runs; deleting a conversation stops them. */
  readonly engine: Engine;
  readonly limits?: Partial<ChainLimits>;
  /** How long messages are visible. Default: one week. */
  readonly ttlMs?: number;
}

/** The conversations of a ledger: reading, writing and deleting them. */
export interface OpenedConversations {
  readonly conversations: Conversations;
  readonly erasure: ConversationErasure;
  readonly parts: ChatParts;
}

/** Conversations in the ledger of these stores. An `AgentHost` made with `parts` answers mentions. */
export function openConversations(stores: Stores, options: OpenConversationsOptions): OpenedConversations {
  const { tables, erase } = requireLedgerFiles(stores, 'Chat');
  const { events, runs, clock, ids } = stores;
  const { agents, engine, limits, ttlMs } = options;
  const parts: ChatParts = {
    ...{ events, agents, clock, ids },
    records: new SqlChatRecords(tables),
    limits: { ...DEFAULT_CHAIN_LIMITS, ...limits },
    ...(ttlMs === undefined ? {} : { ttlMs }),
    erasure: {
      bodiesOf: async (streams) => {
        const read = await Promise.all(streams.map((stream) => events.read(stream)));
        return read
          .flat()
          .flatMap(({ stream, index, body }) => (body === undefined ? [] : [{ stream, index }]));
      },
      streamsOfRun: async (run) => (await runs.list({ root: run as RunId })).map(({ id }) => runStream(id)),
      erase: async (addresses, by, reason) => {
        if (addresses.length > 0) await erase(addresses, by, reason);
      },
      stop: async (ids, by, reason) => {
        for (const run of ids) await stopRun(engine, run, { by, reason });
      },
    },
  };
  const conversations = new Conversations(parts);
  return {
    conversations,
    erasure: new ConversationErasure(parts, conversations),
    parts,
  };
}
