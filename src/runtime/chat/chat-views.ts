import type { ChatMessageView, ConversationItem, NotificationView } from '../../api/index.ts';
import type { ConversationSummary, Message, Notification } from '../../chat/index.ts';

/** A conversation as lists show it. */
export function viewConversation(conversation: ConversationSummary): ConversationItem {
  const { createdBy: _by, ttlMs: _ttl, ...item } = conversation;
  return item;
}

export function viewMessage({ id, at, from, text, cause }: Message): ChatMessageView {
  return { id, at, from, content: text, ...(cause === undefined ? {} : { turn: cause }) };
}

/** A notification, with who caused it as far as that is still known. */
export function viewNotification(
  notification: Notification,
  messages: ReadonlyMap<number, Message>,
): NotificationView {
  const {
    conversation: _in,
    owner: _owner,
    parked: _parked,
    within: _within,
    untrusted: _,
    ...shown
  } = notification;
  const caused = messages.get(shown.message);
  const parent = caused?.cause;
  return { ...shown, ...(parent === undefined ? {} : { parent }), from: caused?.from ?? 'unknown' };
}
