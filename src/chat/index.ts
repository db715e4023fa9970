export { AgentHost, type AgentHostParts, findRun, MAX_TURN_MS, MAX_WAIT_MS, stopRun } from './agent-host.ts';
export { chainPrivilege, WITHIN } from './chain-privilege.ts';
export { chatStream, conversationOf, turnStream } from './chat-events.ts';
export { chatProjection } from './chat-projection.ts';
export { ConversationErasure } from './conversation-erasure.ts';
export { conversationText, SHOWN_MESSAGES, withoutLeadingMentions } from './conversation-text.ts';
export type { Notice } from './conversations.ts';
export { Conversations, checkText, requireConversation } from './conversations.ts';
export type {
  ChainUse,
  ChatAgents,
  ChatErasure,
  ChatParts,
  ChatRecords,
  ConversationSummary,
  MessageFilter,
} from './ports.ts';
export { agentMessage } from './post-message.ts';
export { type Turn, Turns } from './turns.ts';
export {
  type ChainLimits,
  type ChatErrorCode,
  type Conversation,
  DEFAULT_CHAIN_LIMITS,
  type DropReason,
  type Message,
  type ModelWait,
  type Notification,
  type NotificationStatus,
  PERSON,
} from './types.ts';
