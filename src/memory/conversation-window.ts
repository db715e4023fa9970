import { countTokens } from './count-tokens.ts';

/** How much of a conversation is kept at hand. */
export interface WindowLimits {
  readonly tokens: number;
  readonly messages: number;
}

/** What is kept at hand unless told. */
export const WINDOW_LIMITS: WindowLimits = { tokens: 20_000, messages: 20 };

/** The end of a conversation that fits, and what did not. */
export interface ConversationWindow<Message> {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** How many older messages were left out. */
  readonly dropped: number;
}

/**
 * The newest messages that fit the limits, in order, each of them whole. The newest one is always there, even if it
 * alone is larger than the cap.
 */
export function conversationWindow<Message extends { readonly text: string }>(
  messages: readonly Message[],
  limits: Partial<WindowLimits> = {},
): ConversationWindow<Message> {
  const { tokens: cap, messages: most } = { ...WINDOW_LIMITS, ...limits };
  let tokens = 0;
  let first = messages.length;
  while (first > 0 && messages.length - first < most) {
    const size = countTokens(messages[first - 1]?.text ?? '');
    if (tokens + size > cap && first < messages.length) break;
    tokens += size;
    first -= 1;
  }
  return { messages: messages.slice(first), tokens, dropped: first };
}
