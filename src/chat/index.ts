export { type AgentMessage, agentMessage } from './agent-message.ts';
export { chainPrivilege, WITHIN } from './chain-privilege.ts';
export {
  type ChatEventData,
  type ChatEventType,
  chatStream,
  conversationOf,
  turnStream,
} from './chat-events.ts';
export type { ChatParts } from './chat-parts.ts';
export { chatProjection, notificationId } from './chat-projection.ts';
export { type CleanupReport, ConversationErasure } from './conversation-erasure.ts';
export { conversationText, SHOWN_MESSAGES, withoutLeadingMentions } from './conversation-text.ts';
export {
  Conversations,
  type ConversationView,
  checkText,
  type Notice,
  requireConversation,
} from './conversations.ts';
export { mentionsIn } from './mentions.ts';
export type {
  ChainUse,
  ChatAgents,
  ChatErasure,
  ChatRecords,
  ConversationSummary,
  MessageFilter,
} from './ports.ts';
export { type Hosts, type Spent, type Turn, type TurnResult, Turns } from './turns.ts';
export {
  type ChainLimits,
  type ChatErrorCode,
  type Conversation,
  DEFAULT_CHAIN_LIMITS,
  DEFAULT_TTL_MS,
  type DropReason,
  type Message,
  type Notification,
  type NotificationStatus,
  PERSON,
} from './types.ts';
