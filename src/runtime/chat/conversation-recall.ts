import { SqliteChatRecords } from '../../adapters/sqlite/index.ts';
import type { ConversationText } from '../../agent/index.ts';
import { conversationText, PERSON, SHOWN_MESSAGES } from '../../chat/index.ts';
import type { Clock, JsonObject } from '../../kernel/index.ts';
import { conversationWindow } from '../../memory/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** The conversation that a run answers in, as its agent sees it. */
export async function recallConversation(
  vars: JsonObject,
  from: { readonly ledger: () => OpenLedger; readonly clock: Clock; readonly file: string },
): Promise<ConversationText | undefined> {
  const { conversation, message, agent } = vars;
  if (typeof conversation !== 'string' || typeof message !== 'number' || typeof agent !== 'string')
    return undefined;
  const records = new SqliteChatRecords(from.ledger().database, from.file);
  const place = await records.conversation(conversation);
  if (place === undefined) return undefined;
  const messages = await records.messages({
    conversation,
    upTo: message,
    limit: SHOWN_MESSAGES,
    after: from.clock.now() - place.ttlMs,
  });
  const shown = conversationWindow(messages).messages;
  return {
    text: conversationText({ conversation, agent, others: place.agents }, shown),
    untrusted: messages.some(({ from, tainted }) => from !== PERSON && (from !== agent || tainted)),
  };
}
