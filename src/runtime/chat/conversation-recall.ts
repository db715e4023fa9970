import { SqlChatRecords } from '../../adapters/sql/index.ts';
import type { ConversationText } from '../../agent/index.ts';
import {
  conversationText,
  type Message,
  PERSON,
  SHOWN_MESSAGES,
  withoutLeadingMentions,
} from '../../chat/index.ts';
import type { Clock, JsonObject } from '../../kernel/index.ts';
import { conversationWindow } from '../../memory/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

interface ConversationSource {
  readonly ledger: () => OpenLedger;
  readonly clock: Clock;
}

/** The conversation that a run answers in, as its agent sees it. The message to answer is the goal of the run. */
export async function recallConversation(
  vars: JsonObject,
  from: ConversationSource,
): Promise<ConversationText | undefined> {
  const found = await conversationOf(vars, from);
  if (found === undefined) return undefined;
  const { conversation, agent, others, messages, answered } = found;
  return {
    text: conversationText({ conversation, agent, others, answered }, shownOf(messages)),
    untrusted: [...messages, ...answered].some(
      ({ from, tainted }) => from !== PERSON && (from !== agent || tainted),
    ),
  };
}

/** The messages that a run is shown in its conversation or as its goal, so that its pack does not repeat them. */
export async function shownMessages(vars: JsonObject, from: ConversationSource) {
  const found = await conversationOf(vars, from);
  const shown = found === undefined ? [] : [...shownOf(found.messages), ...found.answered];
  return {
    ids: new Set(shown.map(({ id }) => `chat/${found?.conversation}/${id}`)),
    goals: new Set(shown.map(({ text }) => withoutLeadingMentions(found?.agent ?? '', text))),
  };
}

async function conversationOf(vars: JsonObject, from: ConversationSource) {
  const { conversation, message, agent } = vars;
  if (typeof conversation !== 'string' || typeof message !== 'number' || typeof agent !== 'string')
    return undefined;
  const records = new SqlChatRecords(from.ledger().tables);
  const place = await records.conversation(conversation);
  if (place === undefined) return undefined;
  const messages = await records.messages({
    conversation,
    upTo: message,
    limit: SHOWN_MESSAGES,
    after: from.clock.now() - place.ttlMs,
  });
  return {
    ...{ conversation, agent, others: place.agents },
    messages: messages.filter(({ id }) => id !== message),
    answered: messages.filter(({ id }) => id === message),
  };
}

function shownOf(messages: readonly Message[]): readonly Message[] {
  return conversationWindow(messages).messages;
}
