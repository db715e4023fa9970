import { SqliteChatRecords } from '../../adapters/sqlite/index.ts';
import { DEFAULT_AGENT } from '../../agent/index.ts';
import {
  agentMessage,
  type ChainLimits,
  type ChatAgents,
  chatStream,
  checkText,
  DEFAULT_CHAIN_LIMITS,
  requireConversation,
} from '../../chat/index.ts';
import type { ChatDesk } from '../../tools/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** What speaking in conversations needs of the workspace. */
export interface ChatDeskParts {
  readonly ledger: () => OpenLedger;
  readonly databaseFile: string;
  readonly agents: ChatAgents;
  readonly limits?: Partial<ChainLimits>;
}

/** Lets the agent of a run speak; a run below it speaks for the same agent. */
export function chatDesk({ ledger, databaseFile, agents, limits }: ChatDeskParts): ChatDesk {
  return {
    compose: async ({ conversation, text, run }) => {
      checkText(text);
      const { database, runs, events } = ledger();
      const records = new SqliteChatRecords(database, databaseFile);
      await requireConversation(records, conversation);
      const root = (await runs.get(run))?.root ?? run;
      const notification = await records.ofRun(root);
      const agent = notification?.agent ?? agentOf((await events.read(`run/${root}`))[0]?.body);
      const parts = { agents, records, limits: { ...DEFAULT_CHAIN_LIMITS, ...limits } };
      const { event, to } = await agentMessage(parts, { conversation, agent, text, notification });
      return { stream: chatStream(conversation), event, notified: to.agents, unknown: to.unknown };
    },
  };
}

/** Whom a run is a run of, as it was begun. */
function agentOf(begun: unknown): string {
  const { vars = {} } = (begun ?? {}) as { readonly vars?: { readonly agent?: unknown } };
  return typeof vars.agent === 'string' ? vars.agent : DEFAULT_AGENT.name;
}
