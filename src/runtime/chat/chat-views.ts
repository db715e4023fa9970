import type { ChatMessageView, ConversationItem, NotificationView } from '../../api/index.ts';
import type { ConversationSummary, Message, Notification } from '../../chat/index.ts';

/** A conversation as lists show it. */
export function viewConversation(conversation: ConversationSummary): ConversationItem {
  const { name, paused, agents, messages, createdAt, lastAt, open } = conversation;
  return { name, paused, agents, messages, createdAt, ...(lastAt === undefined ? {} : { lastAt }), open };
}

export function viewMessage({ id, at, from, text }: Message): ChatMessageView {
  return { id, at, from, content: text };
}

/** A notification, with who caused it as far as that is still known. */
export function viewNotification(
  one: Notification,
  messages: ReadonlyMap<number, Message>,
): NotificationView {
  const { id, message, agent, depth, chain, status, reason, detail, attempts, run, tokens, costUsd } = one;
  const caused = messages.get(message);
  return {
    id,
    message,
    agent,
    depth,
    chain,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    attempts,
    ...(run === undefined ? {} : { run }),
    tokens,
    costUsd,
    ...(caused?.cause === undefined ? {} : { parent: caused.cause }),
    from: caused?.from ?? 'somebody',
  };
}
