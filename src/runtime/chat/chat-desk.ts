import { SqlChatRecords } from '../../adapters/sql/index.ts';
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
import { agentOf, runStream } from '../../engine/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import type { MessageComposer } from '../../tools/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

export interface ChatDeskOptions {
  readonly ledger: () => OpenLedger;
  readonly agents: ChatAgents;
  readonly limits: Partial<ChainLimits>;
}

/** Lets the agent of a run send messages; a child run sends them for the same agent. */
export function chatDesk({ ledger, agents, limits }: ChatDeskOptions): MessageComposer {
  return {
    compose: async ({ conversation, text, run, untrusted: tainted }) => {
      checkText(text);
      const { tables, runs, events } = ledger();
      const records = new SqlChatRecords(tables);
      await requireConversation(records, conversation);
      const root = (await runs.get(run))?.root ?? run;
      const notification = await records.ofRun(root);
      const [started] = await events.read(runStream(root));
      const { vars } = (started?.body ?? {}) as { readonly vars?: JsonObject };
      const agent = notification?.agent ?? agentOf(vars) ?? DEFAULT_AGENT.name;
      const parts = { agents, records, limits: { ...DEFAULT_CHAIN_LIMITS, ...limits } };
      const { event, to } = await agentMessage(parts, { conversation, agent, text, notification, tainted });
      return { stream: chatStream(conversation), event, notified: to.agents, unknown: to.unknown };
    },
  };
}
